import { Store } from 'lucide-preact'
import { lazyScreen, type Room } from '../shell/room.tsx'
import { text } from './room-words.ts'

export const shopsRoom: Room = {
  screens: [
    lazyScreen({
      name: 'shops',
      tab: { words: text('home.shops'), Icon: Store },
      palette: text('home.shops'),
      synonyms: text('palette.shops.synonyms'),
      load: () => import('./shops-page.tsx').then(({ ShopsPage }) => ShopsPage),
      given: (_, { overview, refresh, rooms }) => ({ overview, refresh, rooms }),
    }),
  ],
}
