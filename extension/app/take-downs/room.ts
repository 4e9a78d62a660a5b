import { lazyScreen, type Room } from '../shell/room.tsx'

export const takeDownsRoom: Room = {
  screens: [
    lazyScreen({
      name: 'takedowns',
      under: 'shops',
      // The marketplace to set up.
      read: (one) => ({ platform: one || null }),
      load: () => import('./take-downs-page.tsx').then(({ TakeDownsPage }) => TakeDownsPage),
      given: ({ platform }, { overview, refresh }) => ({ platform, overview, refresh }),
    }),
  ],
}
