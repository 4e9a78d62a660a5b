import { z } from 'zod'
import type { Health, PlatformHealth } from '#extension/messaging/overview.ts'
import { addressesOf } from '#extension/platforms/addresses.ts'
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
    .map((entry) => ({ entry, readable: addressesOf(entry.slug) }))
    .filter(({ entry, readable }) => entry.connection === 'oauth' || readable)
    .map(({ entry, readable }) => {
      const told = known.find((platform) => platform.slug === entry.slug)
      const name = told?.name ?? entry.name
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
        answer: told ?? null,
        reading_off: off.includes(entry.slug),
      }
    })
}

type State = Pick<PlatformHealth, 'health' | 'shop' | 'seen_at' | 'failing'>

/** The states of a shop, the one that a seller must know first. */
const worstFirst: readonly Health[] = ['needs_you', 'failing', 'idle', 'ok']

/** Returns the state of the shop in the worst health. */
function accountHealth(accounts: readonly SellerAccount[] | undefined): State {
  if (!accounts) return { health: 'unknown', shop: null, seen_at: null, failing: null }
  const states = accounts.filter(({ status }) => status !== 'revoked').map(shopHealth)
  const worst = worstFirst.flatMap((health) => states.filter((state) => state.health === health))[0]
  return worst ?? { health: 'none', shop: null, seen_at: null, failing: null }
}

/** Returns the state of one shop, from its last calls at the server. */
function shopHealth({ status, external_name: shop, health, ...account }: SellerAccount): State {
  const at = health?.last_success_at ?? account.last_synced_at ?? account.connected_at
  const state = { shop, seen_at: Date.parse(at), failing: null }
  if (status !== 'connected') return { ...state, health: 'needs_you' }
  if (health?.state === 'failing') {
    const next_try_at = health.next_try_at === null ? null : Date.parse(health.next_try_at)
    return { ...state, health: 'failing', failing: { what: health.reason ?? 'orders', next_try_at } }
  }
  return { ...state, health: health?.state === 'unknown' ? 'idle' : 'ok' }
}

/** Prefers what this browser saw, then what the seller's other browsers reported. */
function seenHealth(seen: Seen[string] | undefined, accounts: readonly SellerAccount[] | undefined): State {
  if (!seen) return accountHealth(accounts)
  return seen.username
    ? { health: 'ok', shop: seen.username, seen_at: seen.at, failing: null }
    : { health: 'needs_you', shop: null, seen_at: seen.at, failing: null }
}
