import type { Witness } from '#shared/contract/catalog/inventory.ts'
import { platformOf } from '#shared/platforms.ts'
import type { SalePlace } from './observed-sale.ts'

/** Witnesses by the evidence of a sale, and by the source of its order. */
const witnesses: Record<string, Witness> = {
  push: 'api',
  poll: 'api',
  platform: 'api',
  extension: 'page',
  mail: 'mail',
  seller: 'seller',
  outside: 'seller',
}

/**
 * Returns the witness of a sale. `by`: its evidence, or the source of its order. A listing that an import or a scrape
 * shows as sold has the API for a witness where there is one, else the page.
 */
export function witnessOf(by: string, place: SalePlace): Witness {
  const isRead = place !== 'outside' && platformOf(place).capabilities.orders
  return witnesses[by] ?? (isRead ? 'api' : 'page')
}
