import type { Handlers } from '#server/http/mount.ts'
import type { Services } from '#server/services.ts'
import type { inventory } from '#shared/contract/catalog/inventory.ts'
import { findAccountCurrency } from './account-currency.ts'
import { createItem } from './create-item.ts'
import { deleteItem } from './delete-item.ts'
import { listHistory } from './list-history.ts'
import { listProducts } from './list-products.ts'
import { listItems, readItem } from './read-items.ts'
import { putSettings, readSettings } from './settings.ts'
import { updateItem } from './update-item.ts'

/** Handlers of the inventory. */
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

    createInventoryItem: ({ body }, { principal, keep }) => createItem(services, principal.user_id, body, keep),

    updateInventoryItem: async ({ params, body }, { principal, header }) => ({
      status: 200,
      body: await updateItem(services, { user_id: principal.user_id, uid: params.uid }, body, header('if-match')),
    }),

    deleteInventoryItem: async ({ params }, { principal }) => {
      await deleteItem(services, { user_id: principal.user_id, uid: params.uid })
      return { status: 204 }
    },

    getInventoryHistory: async ({ params, query }, { principal }) => ({
      status: 200,
      body: await listHistory(services.db, { user_id: principal.user_id, uid: params.uid }, query.before_version),
    }),

    listProducts: async ({ query }, { principal }) => ({
      status: 200,
      body: await listProducts(services.db, { ...query, user_id: principal.user_id }),
    }),

    getSettings: async (_input, { principal }) => ({
      status: 200,
      body: await readSettings(services.db, principal.user_id),
    }),

    putSettings: async ({ body }, { principal }) => ({
      status: 200,
      body: await putSettings(services, principal.user_id, body),
    }),

    getAccountCurrency: async (_input, { principal }) => ({
      status: 200,
      body: await findAccountCurrency(services.db, principal.user_id),
    }),
  }
}
