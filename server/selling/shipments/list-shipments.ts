import { pageOf } from '#server/http/answers/list-page.ts'
import type { Queries } from '#server/infra/db/index.ts'
import { notFound } from '#server/infra/errors.ts'
import { placeAt, readCursor } from '#server/selling/orders/page-cursor.ts'
import type { LinkConfig } from '#server/selling/sales/observed-sale.ts'
import type { Services } from '#server/services.ts'
import type { Shipment, ShipmentTotals } from '#shared/contract/selling/shipments.ts'
import * as sql from './queries.ts'
import { toShipment } from './to-shipment.ts'

interface Page {
  state?: 'to_ship' | 'shipped'
  cursor?: string
  page_size?: number
}

/** Returns a page of what is to be shipped, the most urgent first, or of what was, the newest first. */
export async function listShipments(
  { db, config }: Pick<Services, 'db' | 'config'>,
  user_id: number,
  { state = 'to_ship', cursor, page_size: limit = 20 }: Page,
): Promise<{ results: Shipment[]; next_cursor: string | null }> {
  const rows = await db.any(
    sql.listShipments({ user_id, order_uid: null, sent: state === 'shipped', ...readCursor(cursor), limit: limit + 1 }),
  )
  const page = pageOf(rows, limit, ({ at, order_uid }) => placeAt(at, order_uid))
  return { results: page.results.map((row) => toShipment(row, config)), next_cursor: page.next_cursor }
}

/** Returns the shipment of an order. Throws 404 for another user's, and for an order of which nothing is sold. */
export async function findShipment(
  queries: Queries,
  config: LinkConfig,
  user_id: number,
  order_uid: string,
): Promise<Shipment> {
  const everything = { sent: false, before_at: null, before_uid: null, limit: 1 }
  const row = await queries.oneOrNone(sql.listShipments({ user_id, order_uid, ...everything }))
  if (!row) throw notFound()
  return toShipment(row, config)
}

/** Returns how much is to be shipped, and until when. */
export const countShipments = (queries: Queries, user_id: number): Promise<ShipmentTotals> =>
  queries.one(sql.countShipments({ user_id }))
