import { pageOf } from '#server/http/answers/list-page.ts'
import type { Queries } from '#server/infra/db/index.ts'
import type { RowOf } from '#server/infra/db/statement.ts'
import { notFound } from '#server/infra/errors.ts'
import { placeAt, readCursor } from '#server/selling/orders/page-cursor.ts'
import type { HeldSale, Sale, SaleCosts } from '#shared/contract/selling/sales.ts'
import { estimateFee } from './estimate-fee.ts'
import type { SalePlace } from './observed-sale.ts'
import * as sql from './queries.ts'
import { witnessOf } from './witness.ts'

interface Period {
  from?: string
  to?: string
  platform?: SalePlace
}

/** Returns a page of the valid sales, newest first. The first page has the sales that are not confirmed yet, too. */
export async function listSales(
  queries: Queries,
  user_id: number,
  given: Period & { inventory_item_uid?: string; cursor?: string; page_size?: number },
): Promise<{ results: Sale[]; next_cursor: string | null; held?: HeldSale[] }> {
  const { from, to, platform, cursor, page_size: limit = 20 } = given
  const { before_at, before_uid } = readCursor(cursor)
  const rows = await queries.any(
    sql.listSales({
      ...{ user_id, id: null, from: from ?? null, to: to ?? null, platform: platform ?? null },
      item_uid: given.inventory_item_uid ?? null,
      before_at,
      before_id: before_uid !== null && /^\d{1,18}$/.test(before_uid) ? before_uid : '0',
      limit: limit + 1,
    }),
  )
  const page = pageOf(rows, limit, ({ sold_at, id }) => placeAt(sold_at, id))
  const held = cursor === undefined ? { held: await queries.any(sql.listHeldSales({ user_id })) } : {}
  return { results: page.results.map(toSale), next_cursor: page.next_cursor, ...held }
}

export type SaleRow = Sale

function toSale({ item_uid, fee_minor, source, told_by_mail, ...row }: RowOf<typeof sql.listSales>): Sale {
  const { shipment_state, ship_by, carrier, tracking_number, shipped_at, shipped_by, confirmed_at, ...sale } = row
  const fee = fee_minor ?? estimateFee(sale.platform, sale.price_minor, sale.currency)
  const fee_source = fee_minor !== null ? 'entered' : fee === null ? null : 'estimated'
  return {
    ...{ ...sale, inventory_item_uid: item_uid, fee_minor: fee, fee_source },
    told_by:
      source === 'file' ? source : witnessOf(told_by_mail && source === 'scraped' ? 'mail' : source, sale.platform),
    shipment: shipment_state && {
      state: shipment_state === 'queued' ? 'sending' : shipment_state,
      ...{ ship_by, carrier, tracking_number, shipped_at, shipped_by, confirmed_at },
    },
  }
}

/** Stores the seller's costs of a sale. Throws 404 for another user's sale and for a cancelled one. */
export async function updateSaleCosts(queries: Queries, user_id: number, id: string, costs: SaleCosts): Promise<Sale> {
  const updated = await queries.any(
    sql.updateSaleCosts({
      ...{ user_id, id },
      ...{ sets_fee: costs.fee_minor !== undefined, fee_minor: costs.fee_minor ?? null },
      ...{ sets_shipping: costs.shipping_minor !== undefined, shipping_minor: costs.shipping_minor ?? null },
      ...{ sets_cost: costs.cost_minor !== undefined, cost_minor: costs.cost_minor ?? null },
    }),
  )
  if (updated.length === 0) throw notFound()
  const everything = { item_uid: null, from: null, to: null, platform: null, before_at: null, before_id: '0', limit: 1 }
  return toSale(await queries.one(sql.listSales({ user_id, id, ...everything })))
}

/** Returns the totals of a period by currency, the most frequent first. */
export async function sumSales(
  queries: Queries,
  user_id: number,
  { from, to, platform }: Period,
): Promise<{ sales: number; amounts: { currency: string; sales: number; price_minor: number }[] }> {
  const amounts = await queries.any(
    sql.sumSales({
      ...{ user_id, from: from ?? null, to: to ?? null, platform: platform ?? null },
    }),
  )
  return { sales: amounts.reduce((total, { sales }) => total + sales, 0), amounts }
}
