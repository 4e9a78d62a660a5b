import { pageOf } from '#server/http/answers/list-page.ts'
import type { Queries } from '#server/infra/db/index.ts'
import type { Order } from '#shared/contract/selling/orders.ts'
import { decimalFromMinor } from '#shared/money.ts'
import { placeAt, readCursor } from './page-cursor.ts'
import * as sql from './queries.ts'

/** Lists a page of a user's orders, newest first. */
export async function listOrders(
  queries: Queries,
  user_id: number,
  query: { platform?: string; status?: string; state?: string; cursor?: string; page_size?: number },
): Promise<{ results: Order[]; next_cursor: string | null }> {
  const { platform = null, status = null, state = null, page_size: limit = 20 } = query
  const found = await queries.any(
    sql.listOrders({
      ...{ user_id, platform, status, state },
      ...readCursor(query.cursor),
      limit: limit + 1,
    }),
  )
  const orders = found.map(
    ({ lines, ...order }): Order => ({
      ...order,
      lines: lines.map(({ item_uid, price_minor, ...line }) => ({
        ...line,
        inventory_item_uid: item_uid,
        price: decimalFromMinor(price_minor, line.currency),
      })),
    }),
  )
  return pageOf(orders, limit, ({ ordered_at, uid }) => placeAt(ordered_at, uid))
}
