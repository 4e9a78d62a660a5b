import { lazyScreen, type Room } from '../shell/room.tsx'

export const draftsRoom: Room = {
  screens: [
    lazyScreen({
      name: 'drafts',
      under: 'inventory',
      keepsScans: true,
      // `lost`: a photo or text that another app shared could not be kept.
      read: (one) => ({ lost: one === 'lost' }),
      load: () => import('./drafts-page.tsx').then(({ DraftsPage }) => DraftsPage),
      given: ({ lost }, { overview, inventory }) => ({
        of: overview.session!,
        lost,
        rows: inventory.rows ?? [],
        onChanged: inventory.refresh,
      }),
    }),
  ],
}
