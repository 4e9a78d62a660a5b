import type { z } from 'zod'
import type { Queries } from '#server/infra/db/index.ts'
import { offsetOf } from '#shared/contract/declaring/pages.ts'
import type { listUnanswered as route } from '#shared/contract/selling/unanswered.ts'
import type { PlatformSlug } from '#shared/platforms.ts'
import * as sql from './queries.ts'

/** Reads a page of the listings that wait for an answer, of one platform or of all, with the number on each platform. */
export async function listUnanswered(
  queries: Queries,
  user_id: number,
  query: { platform?: PlatformSlug; page?: number; page_size?: number },
): Promise<z.infer<(typeof route.replies)[200]>> {
  const found = await queries.any(sql.countUnanswered({ user_id }))
  const counts = Object.fromEntries(found.map(({ platform, count }) => [platform, count]))
  const count = found
    .filter(({ platform }) => query.platform === undefined || platform === query.platform)
    .reduce((sum, one) => sum + one.count, 0)
  const key = { user_id, platform: query.platform ?? null, ...offsetOf(query) }
  return { count, results: count === 0 ? [] : await queries.any(sql.listUnanswered(key)), counts }
}

/** Takes listings off those that wait for an answer: some items, or all of a platform. Returns their number. */
export async function dismissUnanswered(
  queries: Queries,
  user_id: number,
  asked: { platform: PlatformSlug; uids?: string[] },
): Promise<number> {
  const key = { user_id, platform: asked.platform, item_uids: asked.uids ?? null }
  return (await queries.one(sql.settleUnanswered(key))).count
}
