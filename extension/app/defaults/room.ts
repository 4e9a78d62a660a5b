import { SlidersHorizontal } from 'lucide-preact'
import { isConnected } from '#extension/messaging/overview.ts'
import { lazyScreen, type Room } from '../shell/room.tsx'
import { text } from './room-words.ts'

export const defaultsRoom: Room = {
  screens: [
    lazyScreen({
      name: 'choices',
      tab: { words: text('palette.choices'), Icon: SlidersHorizontal },
      palette: text('palette.choices'),
      synonyms: text('palette.choices.synonyms'),
      keepsScans: true,
      load: () => import('./defaults-page.tsx').then(({ DefaultsPage }) => DefaultsPage),
      given: (_, { overview }) => ({
        shops: overview.platforms.filter(({ health }) => isConnected(health)).map(({ slug }) => slug),
      }),
    }),
  ],
}
