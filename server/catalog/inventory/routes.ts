import { noContent, ok } from '#server/http/answers/replies.ts'
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
    listInventory: ({ query }, { principal }) =>
      ok(listItems(services.db, publicUrl, { ...query, user_id: principal.user_id })),

    getInventoryItem: ({ params }, { principal }) =>
      ok(readItem(services.db, publicUrl, { user_id: principal.user_id, uid: params.uid })),

    createInventoryItem: ({ body }, { principal, keep }) => createItem(services, principal.user_id, body, keep),

    updateInventoryItem: ({ params, body }, { principal, header }) =>
      ok(updateItem(services, { user_id: principal.user_id, uid: params.uid }, body, header('if-match'))),

    deleteInventoryItem: ({ params }, { principal }) =>
      noContent(deleteItem(services, { user_id: principal.user_id, uid: params.uid })),

    getInventoryHistory: ({ params, query }, { principal }) =>
      ok(listHistory(services.db, { user_id: principal.user_id, uid: params.uid }, query.before_version)),

    listProducts: ({ query }, { principal }) => ok(listProducts(services.db, { ...query, user_id: principal.user_id })),

    getSettings: (_input, { principal }) => ok(readSettings(services.db, principal.user_id)),

    putSettings: ({ body }, { principal }) => ok(putSettings(services, principal.user_id, body)),

    getAccountCurrency: (_input, { principal }) => ok(findAccountCurrency(services.db, principal.user_id)),
  }
}
