import { PlatformError } from '#server/integrations/errors.ts'
import type { ListingPage, PlatformAdapter } from '#server/integrations/port.ts'
import type { ImportState, Listing, ListingFailure } from '#shared/listing.ts'
import type { OAuthSlug } from '#shared/platforms.ts'

/** A platform in memory, whose shop, pages and failures a test controls. The sandbox is for tests over HTTP. */
export interface FakeAdapter extends PlatformAdapter {
  /** The shop's listings, in order; a failure is a listing that cannot be read. */
  shop: (Listing | ListingFailure)[]
  pageSize: number
  /** True if the platform reports the total. */
  reportsTotal: boolean
  /** Runs before each read. It may wait, change the shop, or throw the platform's error. */
  before: (call: FakeCall) => Promise<void> | void
  calls: FakeCall[]
}

type FakeCall =
  | { kind: 'page'; cursor: string | null; states: readonly ImportState[] }
  | { kind: 'one'; listing_id: string }

/** Creates a platform that accepts any access token. */
export function createFakeAdapter(slug: OAuthSlug = 'ebay', shop: (Listing | ListingFailure)[] = []): FakeAdapter {
  const grant = {
    access_token: 'fake-access',
    refresh_token: null,
    expires_in_seconds: 7_200,
    refresh_expires_in_seconds: null,
    scopes: [],
  }
  const fake: FakeAdapter = {
    slug,
    shop,
    pageSize: 50,
    reportsTotal: true,
    before: () => {},
    calls: [],
    policyUrls: { shipping: 'https://platform.example/shipping', returns: 'https://platform.example/returns' },
    oauth: {
      pkce: false,
      authorizeUrl: ({ state }) => `https://platform.example/authorize?state=${state}`,
      exchangeCode: async () => grant,
      refresh: async () => grant,
      identify: async () => ({ external_id: 'S-1', external_name: 'vera', url: 'https://platform.example/vera' }),
    },
    imports: {
      states: ['active', 'inactive', 'sold', 'ended'],
      async readPage(_access, { states, cursor }): Promise<ListingPage> {
        const call = { kind: 'page', cursor, states } as const
        fake.calls.push(call)
        await fake.before(call)
        const wanted = fake.shop.filter((found) => 'error_code' in found || states.includes(importStateOf(found)))
        const from = Number(cursor ?? 0)
        const page = wanted.slice(from, from + fake.pageSize)
        const next = from + fake.pageSize
        return {
          listings: page.filter((found): found is Listing => !('error_code' in found)),
          failures: page.filter((found): found is ListingFailure => 'error_code' in found),
          nextCursor: next < wanted.length ? String(next) : null,
          total: fake.reportsTotal ? wanted.length : null,
        }
      },
      async readOne(_access, listing_id) {
        const call = { kind: 'one', listing_id } as const
        fake.calls.push(call)
        await fake.before(call)
        const found = fake.shop.find((each) => each.listing_id === listing_id)
        if (!found) throw new PlatformError(slug, 'not_found', 'no such listing')
        return found
      },
    },
  }
  return fake
}

function importStateOf({ state }: Listing): ImportState {
  if (state === 'sold') return 'sold'
  return state === 'removed' ? 'ended' : 'active'
}
