import type { Queries } from '#server/infra/db/index.ts'
import type { PlatformSlug } from '#shared/platforms.ts'

/**
 * Returns the platforms whose sale mails reach an account, with the time of the last one (ISO; null: none came yet). The
 * one place that knows of mails as a witness. No mails are read yet.
 */
export async function readMailWitness(
  _queries: Queries,
  _user_id: number,
): Promise<ReadonlyMap<PlatformSlug, string | null>> {
  return new Map()
}
