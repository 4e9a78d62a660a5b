import type { Queries } from '#server/infra/db/index.ts'
import { type PlatformSlug, platformOf } from '#shared/platforms.ts'
import { listSellerAccounts } from './list-seller-accounts.ts'

/** Names shops for their owner: `vintage_vera (eBay)`. */
export function shopNames(shops: { platform: PlatformSlug; external_name: string }[]): string[] {
  return shops.map(({ platform, external_name }) => `${external_name} (${platformOf(platform).name})`)
}

/** Returns the names of an account's connected shops. */
export async function connectedShops(queries: Queries, userId: number): Promise<string[]> {
  return shopNames((await listSellerAccounts(queries, userId)).filter(({ status }) => status !== 'revoked'))
}
