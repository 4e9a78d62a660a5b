import { pageOf } from '#server/http/answers/list-page.ts'
import type { Queries } from '#server/infra/db/index.ts'
import { notFound } from '#server/infra/errors.ts'
import type { LinkConfig } from '#server/selling/sales/observed-sale.ts'
import type { Alert } from '#shared/contract/selling/orders.ts'
import { readAlertCursor } from './alert-cursor.ts'
import { describeAlert } from './describe-alert.ts'
import * as sql from './queries.ts'

/** Returns a page of a user's alerts, the most urgent first. */
export async function listAlerts(
  queries: Queries,
  config: LinkConfig,
  user_id: number,
  query: { state?: Alert['state']; cursor?: string; page_size?: number } = {},
): Promise<{ results: Alert[]; next_cursor: string | null }> {
  const limit = query.page_size ?? 20
  const rows = await queries.any(
    sql.listAlerts({
      user_id,
      uid: null,
      state: query.state ?? 'open',
      ...readAlertCursor(query.cursor),
      limit: limit + 1,
    }),
  )
  const alerts = rows.map((row) => describeAlert(row, config))
  return pageOf(alerts, limit, ({ urgency, created_at, uid }) => `${urgency}|${created_at}|${uid}`)
}

/** Dismisses an alert; a second time changes nothing. Throws 404. */
export async function dismissAlert(queries: Queries, config: LinkConfig, user_id: number, uid: string): Promise<Alert> {
  if (!(await queries.oneOrNone(sql.dismissAlert({ user_id, uid })))) throw notFound()
  return readAlert(queries, config, { user_id, uid })
}

/** Returns an alert in the state that it has by now. Throws 404. */
export async function readAlert(
  queries: Queries,
  config: LinkConfig,
  { user_id, uid }: { user_id: number; uid: string },
): Promise<Alert> {
  const row = await queries.oneOrNone(
    sql.listAlerts({ user_id, uid, state: null, ...readAlertCursor(undefined), limit: 1 }),
  )
  if (!row) throw notFound()
  return describeAlert(row, config)
}
