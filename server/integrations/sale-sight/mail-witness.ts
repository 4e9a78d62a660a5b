import type { Queries } from '#server/infra/db/index.ts'
import type { PlatformSlug } from '#shared/platforms.ts'
import * as sql from './queries.ts'

/** Returns the platforms whose mails reach an account, with the time of the last one (ISO). */
export async function readMailWitness(queries: Queries, user_id: number): Promise<ReadonlyMap<PlatformSlug, string>> {
  const rows = await queries.any(sql.listMailWitnesses({ user_id }))
  return new Map(rows.map(({ platform, last_at }) => [platform, last_at]))
}
