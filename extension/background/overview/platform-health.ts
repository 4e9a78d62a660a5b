import { z } from 'zod'
import type { PlatformHealth } from '#extension/messaging/overview.ts'
import { scrapePlatforms } from '#extension/platforms/registry.ts'
import type { Platform, SellerAccount } from '#shared/contract/connections.ts'
import { type PlatformSlug, platforms } from '#shared/platforms.ts'

/** Who was last seen signed in on the pages of a platform; `username` null: seen signed out since. */
export const Seen = z.record(z.string(), z.object({ username: z.string().nullable(), at: z.number() })).catch({})
export type Seen = z.infer<typeof Seen>

/**
 * Health of every platform that can be reached at all: by the server, or by this version in the seller's tab. `accounts`
 * null: the server never answered.
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

/** As seen in this browser; before that, as another browser of the seller's saw it: only then does nobody know the shop. */
function seenHealth(seen: Seen[string] | undefined, accounts: readonly SellerAccount[] | undefined): State {
  if (!seen) return accountHealth(accounts)
  return seen.username
    ? { health: 'ok', shop: seen.username, seen_at: seen.at }
    : { health: 'needs_you', shop: null, seen_at: seen.at }
}
