import type { Queries } from '#server/infra/db/index.ts'
import { type Candidate, endQuestion } from '../ask-which-item.ts'
import type { LineBefore } from '../decide-sale.ts'
import type { ReportedLine } from '../observed-sale.ts'
import type { ClaimRow, SavedOrder } from '../sale-context.ts'
import { compareNames, compareSales, findSale, type ToldSale } from './compare-sales.ts'
import { isPastOrder, toTold } from './past-order.ts'
import * as sql from './queries.ts'

/** The item that an order's line sold by a sale of a file: this one, one of these, or none of them. */
type PastItem =
  | { item_uid: string; by: 'listing' | 'sku' | 'title'; candidates?: never }
  | { candidates: Candidate[] }
  | null

/**
 * Finds the sale of a file that an order's line tells again (`compareSales`). `item_uid`: the item that the line is matched
 * with, whose sale of a file must be the same, else the seller is asked: a sale of the past is no second sale. `used`: the
 * items of the order's other lines, each of which is a sale of its own.
 */
export async function findPastItem(
  tx: Queries,
  user_id: number,
  { platform, external_order_id, ordered_at, source }: SavedOrder,
  line: ReportedLine,
  { item_uid, used }: { item_uid: string | null; used: ReadonlySet<string | null> },
): Promise<PastItem> {
  const rows = await tx.any(sql.findPastSales({ user_id, platform, sold_at: ordered_at, item_uid }))
  const { sku, title = null, price_minor, currency } = line
  const listing_id = line.listing_id || null
  const told: ToldSale = {
    ...{ platform, order_id: source === 'platform' ? external_order_id : null, listing_id, sku, title },
    ...{ price_minor, currency, sold_at: ordered_at },
  }
  const known = rows.map(toTold)
  const own = known.filter((sale) => sale.item_uid === item_uid)
  if (own.length > 0) {
    const isSame = own.some((sale) => compareSales(told, sale) === 'same')
    return isSame ? null : { candidates: own.map((sale) => candidateOf(told, sale)) }
  }
  if (item_uid !== null) return null
  const found = findSale(
    told,
    known.filter((sale) => !used.has(sale.item_uid)),
  )
  if (found.is === 'other') return null
  if (found.is === 'unclear') return { candidates: found.sales.slice(0, 6).map((sale) => candidateOf(told, sale)) }
  const names = compareNames(told, found.sale)
  const by = names.sku === 'same' ? 'sku' : names.title === 'same' ? 'title' : 'listing'
  return { item_uid: found.sale.item_uid, by }
}

function candidateOf(
  told: ToldSale,
  sale: ToldSale & { item_uid: string; title: string; image: string | null },
): Candidate {
  const { item_uid, title, image, price_minor, currency } = sale
  const names = compareNames(told, sale)
  const agrees = (['sku', 'title'] as const).filter((name) => names[name] === 'same')
  return { inventory_item_uid: item_uid, title, image, price_minor, currency, agrees, differs: ['past_sale'] }
}

/**
 * Moves the line of a sale that a file told to the order that sold it, with sale and costs, so that one buyer is one line.
 * Returns whether there was one. The last parameter: the line as it was, and the lines that
 * claim its item.
 */
export async function joinPastSale(
  tx: Queries,
  user_id: number,
  order: SavedOrder,
  { external_line_id, listing_id, status }: ReportedLine,
  [before, claims]: readonly [LineBefore | null, readonly ClaimRow[]],
): Promise<boolean> {
  const past = claims.find((claim) => isPastOrder(claim) && claim.platform === order.platform)
  if (!past || isPastOrder(order) || status === 'cancelled' || (before && before.state !== 'unmatched')) return false
  const line = { user_id, order_uid: order.uid, external_line_id }
  await tx.none(sql.deleteUnmatchedLine(line))
  await tx.none(
    sql.moveLine({
      ...{ ...line, listing_id, sold_at: order.ordered_at },
      ...{ past_order_uid: past.order_uid, past_line_id: past.external_line_id },
    }),
  )
  await endQuestion(tx, { user_id, reference: `${order.uid}/${external_line_id}` })
  return true
}
