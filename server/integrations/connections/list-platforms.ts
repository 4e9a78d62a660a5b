import { type Queries, sql } from '#server/infra/db/index.ts'
import type { Platform } from '#shared/contract/connections.ts'
import { platforms } from '#shared/platforms.ts'

const listSellingPlatforms = sql(import.meta.url, './sql/list-selling-platforms.sql')

/** Lists all platforms with what this account can do on each. */
export async function listPlatforms(queries: Queries, userId: number): Promise<Platform[]> {
  const rows = await queries.any<{ platform: string }>(listSellingPlatforms, { user_id: userId })
  const selling = new Set(rows.map((row) => row.platform))
  return platforms.map(({ uid, name, slug, url, capabilities }) => ({
    uid,
    name,
    slug,
    url,
    is_selling_active: selling.has(slug),
    connection_url: `/accounts/${slug}/login/`,
    edit: [...capabilities.edit],
  }))
}
