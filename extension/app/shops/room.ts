import { Store } from 'lucide-preact'
import { text } from '#extension/i18n/text.ts'
import { lazyScreen, type Room } from '../shell/room.tsx'

export const shopsRoom: Room = {
  screens: [
    lazyScreen({
      name: 'shops',
      tab: { words: text('home.shops'), Icon: Store },
      palette: text('palette.shops'),
      synonyms: text('palette.shops.synonyms'),
      load: () => import('./shops-page.tsx').then(({ ShopsPage }) => ShopsPage),
      given: (_, { overview, refresh, rooms }) => ({ overview, refresh, rooms }),
    }),
  ],
}
