import { pageOf } from '#server/http/list-page.ts'
import { type Queries, sql } from '#server/infra/db/index.ts'
import { placeAt, readCursor } from '#server/selling/orders/page-cursor.ts'
import type { Sale } from '#shared/contract/sales.ts'
import type { SalePlace } from './observed-sale.ts'

const listRows = sql(import.meta.url, './sql/list-sales.sql')
const sum = sql(import.meta.url, './sql/sum-sales.sql')

interface Period {
  from?: string
  to?: string
  platform?: SalePlace
}

/** Returns a page of the sales that stand, newest first. */
export async function listSales(
  queries: Queries,
  user_id: number,
  { from, to, platform, cursor, page_size: limit = 20 }: Period & { cursor?: string; page_size?: number },
): Promise<{ results: Sale[]; next_cursor: string | null }> {
  const { before_at, before_uid } = readCursor(cursor)
  const rows = await queries.any<Omit<Sale, 'inventory_item_uid'> & { id: string; item_uid: string }>(listRows, {
    ...{ user_id, from: from ?? null, to: to ?? null, platform: platform ?? null },
    before_at,
    before_id: before_uid !== null && /^\d{1,18}$/.test(before_uid) ? before_uid : '0',
    limit: limit + 1,
  })
  const page = pageOf(rows, limit, ({ sold_at, id }) => placeAt(sold_at, id))
  const results = page.results.map(({ id: _, item_uid, ...sale }) => ({ ...sale, inventory_item_uid: item_uid }))
  return { results, next_cursor: page.next_cursor }
}

/** Returns what was sold in a period, the most frequent currency first. */
export async function sumSales(
  queries: Queries,
  user_id: number,
  { from, to, platform }: Period,
): Promise<{ sales: number; amounts: { currency: string; sales: number; price_minor: number }[] }> {
  const amounts = await queries.any<{ currency: string; sales: number; price_minor: number }>(sum, {
    ...{ user_id, from: from ?? null, to: to ?? null, platform: platform ?? null },
  })
  return { sales: amounts.reduce((total, { sales }) => total + sales, 0), amounts }
}
