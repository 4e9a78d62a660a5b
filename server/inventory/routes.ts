import type { Handlers } from '#server/http/mount.ts'
import type { Services } from '#server/services.ts'
import type { inventory } from '#shared/contract/inventory.ts'
import { listItems, readItem } from './read-items.ts'

/** The inventory (decisions 7). */
export function inventoryRoutes(services: Services): Handlers<typeof inventory> {
  const publicUrl = services.config.PUBLIC_URL
  return {
    listInventory: async ({ query }, { principal }) => ({
      status: 200,
      body: await listItems(services.db, publicUrl, { ...query, user_id: principal.user_id }),
    }),

    getInventoryItem: async ({ params }, { principal }) => ({
      status: 200,
      body: await readItem(services.db, publicUrl, { user_id: principal.user_id, uid: params.uid }),
    }),
  }
}
