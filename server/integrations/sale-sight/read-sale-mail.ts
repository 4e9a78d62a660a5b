import type { Queries } from '#server/infra/db/index.ts'
import type { Platform } from '#shared/contract/connections.ts'
import { type PlatformSlug, platforms } from '#shared/platforms.ts'
import * as sql from './queries.ts'

type SaleMailState = NonNullable<Platform['sale_mail']>

/** A marketplace with live listings whose mails stay away for this long may have stopped arriving. */
const silentMs = 30 * 86_400_000

const apiPlatforms = platforms.filter(({ capabilities }) => capabilities.orders).map(({ slug }) => slug)

type Row = Awaited<ReturnType<typeof readRows>>[number]
const readRows = (queries: Queries, user_id: number) =>
  queries.any(sql.readSaleMail({ user_id, api_platforms: apiPlatforms }))

/** Returns whether sale mails of each marketplace arrive, of those with live listings or mails. */
export async function readSaleMailStates(
  queries: Queries,
  user_id: number,
  now = new Date(),
): Promise<Map<PlatformSlug, SaleMailState>> {
  const rows = await readRows(queries, user_id)
  return new Map(
    rows.map((row) => [row.platform, { state: stateOf(row, now), last_at: row.last_at, live_listings: row.live }]),
  )
}

/** Decides by the last mail, or by when sale mail was set up where that is later. */
export function stateOf({ since, last_at, live }: Omit<Row, 'platform'>, now: Date): SaleMailState['state'] {
  if (since === null) return 'off'
  const quietSince = Math.max(Date.parse(since), last_at === null ? 0 : Date.parse(last_at))
  if (live > 0 && now.getTime() - quietSince > silentMs) return 'silent'
  return last_at === null ? 'waiting' : 'working'
}
