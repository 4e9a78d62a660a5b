import type { Queries } from '#server/infra/db/index.ts'
import { notFound, problem } from '#server/infra/errors.ts'
import type { ListingOptions } from '#shared/contract/selling/listings.ts'
import { findPlatform } from '#shared/platforms.ts'
import * as sql from './queries.ts'

/** Returns the seller's default options on a platform. Throws 404 for an unknown platform. */
export async function findDefaults(queries: Queries, user_id: number, slug: string): Promise<ListingOptions> {
  if (!findPlatform(slug)) throw notFound()
  const row = await queries.oneOrNone(sql.getDefaults({ user_id, platform: slug }))
  return row?.options ?? {}
}

/** Replaces the seller's default options on a platform. */
export async function saveDefaults(
  queries: Queries,
  user_id: number,
  slug: string,
  options: ListingOptions,
): Promise<ListingOptions> {
  if (!findPlatform(slug)) throw notFound()
  if (!(await queries.oneOrNone(sql.putDefaults({ user_id, platform: slug, options }))))
    throw problem('unauthenticated')
  return options
}
