import { openOrRemake } from '../open-or-remake.ts'
import { InventoryCache } from './database.ts'

/** Opens the inventory cache. Its content can be read again from the server. */
export function openInventoryCache(name?: string): Promise<InventoryCache> {
  return openOrRemake(() => new InventoryCache(name))
}
