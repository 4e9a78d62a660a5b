import type { Queries } from '#server/infra/db/index.ts'
import { readSaleMailStates } from '#server/integrations/sale-sight/read-sale-mail.ts'
import { readSaleSights } from '#server/integrations/sale-sight/read-sale-sights.ts'
import type { Platform } from '#shared/contract/connections.ts'
import { platforms } from '#shared/platforms.ts'
import * as sql from './queries.ts'

/** Lists all platforms with what this account can do on each. */
export async function listPlatforms(queries: Queries, userId: number): Promise<Platform[]> {
  const rows = await queries.any(sql.listSellingPlatforms({ user_id: userId }))
  const selling = new Set(rows.map((row) => row.platform))
  const sights = await readSaleSights(queries, userId)
  const mails = await readSaleMailStates(queries, userId)
  return platforms.map(({ uid, name, slug, url, capabilities }) => ({
    uid,
    name,
    slug,
    url,
    is_selling_active: selling.has(slug),
    connection_url: `/accounts/${slug}/login/`,
    sale_sight: sights.get(slug) ?? null,
    sale_mail: mails.get(slug) ?? null,
    edit: [...capabilities.edit],
  }))
}
