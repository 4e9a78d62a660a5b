import { z } from 'zod'
import type { PlatformHealth } from '#extension/messaging/overview.ts'
import { scrapePlatforms } from '#extension/platforms/registry.ts'
import type { Platform, SellerAccount } from '#shared/contract/connections.ts'
import { type PlatformSlug, platforms } from '#shared/platforms.ts'

/** Last user seen signed in on each platform. `username` is null after a sign-out. */
export const Seen = z.record(z.string(), z.object({ username: z.string().nullable(), at: z.number() })).catch({})
export type Seen = z.infer<typeof Seen>

/**
 * Returns the health of each platform reachable by the server or in the seller's tab. `accounts` is null if the server
 * never answered.
 */
export function platformHealth(
  known: readonly Platform[],
  accounts: readonly SellerAccount[] | null,
  seen: Seen,
  off: readonly PlatformSlug[],
): PlatformHealth[] {
  return platforms
    .map((entry) => ({ entry, readable: scrapePlatforms.find((platform) => platform.slug === entry.slug) }))
    .filter(({ entry, readable }) => entry.connection === 'oauth' || readable)
    .map(({ entry, readable }) => {
      const name = known.find((platform) => platform.slug === entry.slug)?.name ?? entry.name
      const state =
        entry.connection === 'oauth'
          ? accountHealth(accounts?.filter((account) => account.platform === entry.slug))
          : seenHealth(
              seen[entry.slug],
              accounts?.filter((account) => account.platform === entry.slug),
            )
      const url = readable && state.shop ? readable.shopUrl(state.shop) : entry.url
      return {
        slug: entry.slug,
        name,
        url,
        connection: entry.connection,
        ...state,
        reading_off: off.includes(entry.slug),
      }
    })
}

type State = Pick<PlatformHealth, 'health' | 'shop' | 'seen_at'>

function accountHealth(accounts: readonly SellerAccount[] | undefined): State {
  if (!accounts) return { health: 'unknown', shop: null, seen_at: null }
  const account =
    accounts.find((one) => one.status === 'reconnect_required') ?? accounts.find((one) => one.status === 'connected')
  if (!account) return { health: 'none', shop: null, seen_at: null }
  return {
    health: account.status === 'connected' ? 'ok' : 'needs_you',
    shop: account.external_name,
    seen_at: Date.parse(account.last_synced_at ?? account.connected_at),
  }
}

/** Prefers what this browser saw, then what the seller's other browsers reported. */
function seenHealth(seen: Seen[string] | undefined, accounts: readonly SellerAccount[] | undefined): State {
  if (!seen) return accountHealth(accounts)
  return seen.username
    ? { health: 'ok', shop: seen.username, seen_at: seen.at }
    : { health: 'needs_you', shop: null, seen_at: seen.at }
}
