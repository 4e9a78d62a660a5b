import type { Room } from '#server/room.ts'
import { changesRoutes } from './changes/routes.ts'
import { recordReadBack } from './differences/record-read-back.ts'
import { differencesRoutes } from './differences/routes.ts'
import { imagesJobs } from './images/jobs.ts'
import { imagesRoutes } from './images/routes.ts'
import { mountImages } from './images/serve-image.ts'
import { resumeImport, stopImports } from './imports/connection-hooks.ts'
import { extensionRoutes } from './imports/from-extension/routes.ts'
import { importsJobs } from './imports/jobs.ts'
import { importsRoutes } from './imports/routes.ts'
import { inventoryRoutes } from './inventory/routes.ts'
import { inventoryFilesRoutes } from './inventory-files/routes.ts'
import { tasksRoutes } from './tasks/routes.ts'

/** Items with their photos, imports and history. */
export const catalogRoom = {
  tables: {
    user: [
      'extension_task',
      'image',
      'image_copy',
      'import_action',
      'import_batch',
      'import_count',
      'import_item',
      'import_job',
      'import_preview',
      'inventory_history',
      'inventory_item',
      'listing_difference',
      'match_item',
      'match_word',
      'photo_hash',
      'postal_address',
      'removed_image',
      'seller_settings',
      'sold_report',
      'undo_step',
    ],
  },
  clockColumns: {
    image_copy: ['due_at'],
    import_item: ['photos_due_at', 'observed_at'],
    import_job: ['lease_until', 'retry_at', 'touched_at'],
  },
  routes: (services) => ({
    ...changesRoutes(services),
    ...differencesRoutes(services),
    ...extensionRoutes(services),
    ...imagesRoutes(services),
    ...importsRoutes(services),
    ...inventoryFilesRoutes(services),
    ...inventoryRoutes(services),
    ...tasksRoutes(services),
  }),
  mount: mountImages,
  jobs: (services) => [...importsJobs(services), ...imagesJobs(services)],
  hooks: { resumed: [resumeImport], disconnected: [stopImports], readBack: [recordReadBack] },
} satisfies Room
