import { problem } from '#server/http/errors.ts'
import type { Handlers } from '#server/http/mount.ts'
import type { Services } from '#server/services.ts'
import type { inventory } from '#shared/contract/inventory.ts'

export function inventoryRoutes(_services: Services): Handlers<typeof inventory> {
  const missing = async () => {
    throw problem('unavailable')
  }
  return {
    listInventory: missing,
    getInventoryItem: missing,
  }
}
