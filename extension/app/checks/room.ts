import { lazyScreen, type Room } from '../shell/room.tsx'
import { text } from './room-words.ts'

export const checksRoom: Room = {
  screens: [
    lazyScreen({
      name: 'checks',
      under: 'home',
      palette: text('palette.checks'),
      synonyms: text('palette.checks.synonyms'),
      load: () => import('./checks-page.tsx').then(({ ChecksPage }) => ChecksPage),
      given: (_, { onChanged }) => ({ onChanged }),
    }),
  ],
}
