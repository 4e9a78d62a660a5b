import { pageOf } from '#server/http/list-page.ts'
import { type Queries, sql } from '#server/infra/db/index.ts'
import { notFound } from '#server/infra/errors.ts'
import { suggestions } from '#server/selling/sales/suggestions.ts'
import type { Alarm } from '#shared/contract/orders.ts'
import type { PlatformSlug } from '#shared/platforms.ts'
import { placeAt, readCursor } from './page-cursor.ts'

const listRows = sql(import.meta.url, './sql/list-alerts.sql')
const dismiss = sql(import.meta.url, './sql/dismiss-alert.sql')

interface AlertRow {
  uid: string
  kind: Alarm['kind']
  state: Alarm['state']
  message: string
  platform: PlatformSlug | null
  item_uid: string | null
  data: { order_uid?: string; external_order_id?: string; platforms?: PlatformSlug[] }
  created_at: string
}

/** Lists a page of a user's alerts, newest first. */
export async function listAlarms(
  queries: Queries,
  user_id: number,
  query: { state?: Alarm['state']; cursor?: string; page_size?: number },
): Promise<{ results: Alarm[]; next_cursor: string | null }> {
  const limit = query.page_size ?? 20
  const found = await queries.any<AlertRow>(listRows, {
    user_id,
    state: query.state ?? 'open',
    ...readCursor(query.cursor),
    limit: limit + 1,
  })
  return pageOf(found.map(toWire), limit, ({ created_at, uid }) => placeAt(created_at, uid))
}

/** Dismisses an alert. Repeating it is harmless. Throws 404. */
export async function dismissAlarm(queries: Queries, user_id: number, uid: string): Promise<Alarm> {
  const row = await queries.oneOrNone<AlertRow>(dismiss, { user_id, uid })
  if (!row) throw notFound()
  return toWire(row)
}

function toWire({ item_uid, data, ...alert }: AlertRow): Alarm {
  return {
    ...alert,
    inventory_item_uid: item_uid,
    order_uid: data.order_uid ?? null,
    external_order_id: data.external_order_id ?? null,
    suggestion: suggestions[alert.kind],
    relist_on: data.platforms ?? [],
  }
}
