import { PlatformError } from '#server/integrations/errors.ts'
import type { Finding, ListingChoice, ListingPort, PlatformAdapter, PublishRequest } from '#server/integrations/port.ts'
import type { OAuthSlug } from '#shared/platforms.ts'

export interface MarketListing {
  listing_id: string
  key: string
  state: 'live' | 'sold' | 'ended'
  price_minor: number
  request: PublishRequest
}

type Call = 'publish' | 'find' | 'withdraw' | 'read' | 'price' | 'content' | 'choices'

/** The fate of the next calls of this name: not sent, answer lost, or refused. */
interface Fault {
  call: Call
  kind: 'not_sent' | 'reply_lost' | 'refused' | 'rate_limited' | 'reconnect'
  times: number
}

export interface FakeMarket {
  adapter: PlatformAdapter
  listings: MarketListing[]
  live(): MarketListing[]
  fail(call: Call, kind: Fault['kind'], times?: number): void
  /** Clears all faults. */
  heal(): void
  /** Reads of listings are this many milliseconds behind. */
  lagMs: number
  choices: ListingChoice[]
  /** Findings about every listing. */
  findings: Finding[]
  /** Requests for choices and categories, in order. */
  asked: object[]
  calls: Call[]
  /** Updates of content, in order. */
  updates: { listing_id: string; fields: string[] }[]
  /** Runs after a call took effect, before it is answered. */
  during: ((call: Call, listing?: MarketListing) => Promise<void>) | null
  /** Adds a listing that we did not publish. */
  add(listing: Partial<MarketListing>): MarketListing
  /** Ends a listing as its seller does on the platform. */
  end(listing: MarketListing): void
  /** Sells a listing to a buyer there. */
  sell(listing: MarketListing): void
}

/**
 * Creates a marketplace that makes another listing at every publish, whatever the key, so that a duplicate cannot hide.
 * It tests the engine; the adapters' own fakes speak the real protocols.
 */
export function createFakeMarket(slug: OAuthSlug): FakeMarket {
  const faults: Fault[] = []
  const past: { at: number; listing_id: string; state: MarketListing['state'] }[] = []
  let lastId = 0

  const strike = (call: Call): Fault['kind'] | null => {
    market.calls.push(call)
    const fault = faults.find((one) => one.call === call && one.times > 0)
    if (!fault) return null
    fault.times--
    if (fault.kind === 'refused') throw new PlatformError(slug, 'refused', 'The title is too long.')
    if (fault.kind === 'reconnect') throw new PlatformError(slug, 'reconnect', 'Sign in again.')
    if (fault.kind === 'rate_limited') {
      throw new PlatformError(slug, 'rate_limited', 'Too many calls.', { retryAfterMs: 300 })
    }
    if (fault.kind === 'not_sent') throw new PlatformError(slug, 'unavailable', 'It could not be reached.')
    return fault.kind
  }
  const settle = async (call: Call, fault: Fault['kind'] | null, listing?: MarketListing) => {
    await market.during?.(call, listing)
    if (fault === 'reply_lost') throw new PlatformError(slug, 'unavailable', 'The answer was lost.')
  }
  const mark = (listing: MarketListing, state: MarketListing['state']) => {
    listing.state = state
    past.push({ at: Date.now(), listing_id: listing.listing_id, state })
  }
  /** Returns the state that a delayed read sees. */
  const shown = (listing_id: string) =>
    past.filter((one) => one.listing_id === listing_id && one.at <= Date.now() - market.lagMs).at(-1)?.state
  const put = (request: PublishRequest) => {
    const listing: MarketListing = {
      listing_id: `${slug}-${++lastId}`,
      key: request.externalKey,
      state: 'live',
      price_minor: request.price_minor,
      request,
    }
    market.listings.push(listing)
    mark(listing, 'live')
    return listing
  }
  const addressOf = ({ listing_id }: MarketListing) => ({ listing_id, url: `https://market.example/${listing_id}` })

  const port: ListingPort = {
    async choices(_access, item, options) {
      market.asked.push(item.options)
      if (options?.mayLookUp?.() === false) return market.choices.map((one) => ({ ...one, values: [], unread: true }))
      await settle('choices', strike('choices'))
      return market.choices
    },
    async shopChoices(_access, seller) {
      await settle('choices', strike('choices'))
      market.asked.push(seller)
      return market.choices
    },
    async searchCategories(_access, search) {
      await settle('choices', strike('choices'))
      market.asked.push(search)
      return [{ id: 'c1', name: `Found > ${search.words}` }]
    },
    findings: async () => market.findings,
    fees: () => [],
    async publish(_access, request, step) {
      await step('publish')
      const fault = strike('publish')
      const listing = put(request)
      await settle('publish', fault, listing)
      return addressOf(listing)
    },
    async findPublished(_access, externalKey) {
      const fault = strike('find')
      const found = market.listings.find(({ key, listing_id }) => key === externalKey && shown(listing_id) === 'live')
      await settle('find', fault, found)
      return found ? addressOf(found) : null
    },
    async withdraw(_access, { listing_id }) {
      const fault = strike('withdraw')
      const listing = market.listings.find((one) => one.listing_id === listing_id)
      if (listing?.state === 'live') mark(listing, 'ended')
      await settle('withdraw', fault, listing)
    },
    async readState(_access, listing_id) {
      await settle('read', strike('read'))
      return shown(listing_id) ?? 'missing'
    },
    async changePrice(_access, { listing_id, price_minor }) {
      const fault = strike('price')
      const listing = market.listings.find((one) => one.listing_id === listing_id)
      if (listing) listing.price_minor = price_minor
      await settle('price', fault, listing)
    },
    async updateContent(_access, { listing_id }, { fields, ...content }) {
      const fault = strike('content')
      const listing = market.listings.find((one) => one.listing_id === listing_id)
      const changed = Object.fromEntries(fields.map((field) => [field, content[field]]))
      if (listing) listing.request = { ...listing.request, ...changed }
      market.updates.push({ listing_id, fields: [...fields].sort() })
      await settle('content', fault, listing)
    },
  }
  const none = () => {
    throw new Error('not part of this fake')
  }
  const market: FakeMarket = {
    adapter: {
      slug,
      oauth: { pkce: false, authorizeUrl: none, exchangeCode: none, refresh: none, identify: none },
      imports: { states: [], readPage: none, readOne: none },
      listings: port,
      policyUrls: { shipping: 'https://market.example/s', returns: 'https://market.example/r' },
    },
    listings: [],
    live: () => market.listings.filter(({ state }) => state === 'live'),
    fail: (call, kind, times = 1) => void faults.push({ call, kind, times }),
    heal: () => void faults.splice(0),
    lagMs: 0,
    choices: [],
    findings: [],
    asked: [],
    calls: [],
    updates: [],
    during: null,
    end: (listing) => mark(listing, 'ended'),
    sell: (listing) => mark(listing, 'sold'),
    add(given) {
      const listing: MarketListing = {
        listing_id: `${slug}-${++lastId}`,
        key: '',
        state: 'live',
        price_minor: 4_250,
        request: null as never,
        ...given,
      }
      market.listings.push(listing)
      past.push({ at: 0, listing_id: listing.listing_id, state: listing.state })
      return listing
    },
  }
  return market
}
