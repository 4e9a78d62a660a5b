import type { ComplianceSubject, ExpectedListing } from '#server/integrations/testing/compliance.ts'
import { type SandboxListing, unitsLeft } from '#server/sandbox/etsy/listing.ts'
import { consentAs } from '#server/sandbox/testing/consent-on-etsy.ts'
import { currencyExponent } from '#shared/money.ts'
import { client, startEtsySandbox } from './etsy-sandbox.ts'

/** The Etsy adapter and its sandbox for the compliance suite. */
export const etsy: ComplianceSubject = {
  slug: 'etsy',
  async start({ fetch, timeoutMs }) {
    const { sandbox, url, adapter, createAdapter } = await startEtsySandbox({}, { fetch, timeoutMs })
    const shopOf = (name: string) => sandbox.market.shopNamed(name)!
    const inState = (name: string, state: SandboxListing['state']) =>
      sandbox.market.listingsOf(shopOf(name).shopId).filter((listing) => listing.state === state)
    return {
      adapter,
      impatient: createAdapter({ fetch, timeoutMs: 100 }),
      clientSecret: client.clientSecret,
      redirectUri: client.redirectUris[0]!,
      consent: consentAs,
      sellers: { busy: 'VintageVeraShop', small: 'KyotoKanaCrafts', empty: 'EmptyEveShop' },
      activeListings: (name) => inState(name, 'active').map((listing) => truthOf(listing, url)),
      soldIds: (name) => inState(name, 'sold_out').map(({ listingId }) => String(listingId)),
      sell: (id) => void sandbox.market.sell(Number(id), unitsLeft(sandbox.market.find(Number(id))!.listing)),
      add: (name, title) => String(sandbox.market.add(shopOf(name).shopId, { title }).listingId),
      remove: (id) => sandbox.market.remove(Number(id)),
      end: (id) => void sandbox.market.deactivate(Number(id)),
      relist(id) {
        const [first, ...others] = sandbox.market.find(Number(id))!.listing.products
        sandbox.market.change(Number(id), { state: 'active', products: [{ ...first!, quantity: 1 }, ...others] })
      },
      revoke: (name) => sandbox.grants.revoke(shopOf(name).userId),
      expireAccess: (name) => sandbox.grants.expireAccess(shopOf(name).userId),
      fault(target, kind, times) {
        const fault = { kind, delayMs: timeoutMs * 3 }
        if (target === 'token') return sandbox.faults.set({ ...fault, call: 'token', times })
        if (target === 'identity') return sandbox.faults.set({ ...fault, call: 'getMe', times })
        // The adapter reads a failed page individually, so a page fails for good only if every call fails.
        const isWhole = target !== 'item' || times === Number.POSITIVE_INFINITY
        sandbox.faults.set({ ...fault, call: isWhole ? '*' : 'getListingsByShop', times: isWhole ? 1_000 : times })
      },
      poison: (id) => void sandbox.market.change(Number(id), { failures: 'always' }),
      clearFaults() {
        sandbox.faults.clear()
        for (const { shop } of sandbox.market.users()) {
          const listings = shop ? sandbox.market.listingsOf(shop.shopId) : []
          for (const { listingId, failures } of [...listings]) {
            if (failures !== 0) sandbox.market.change(listingId, { failures: 0 })
          }
        }
      },
      close: () => sandbox.close(),
    }
  },
}

/**
 * Returns the listing that an import must produce. If one unit of several products is left, the listing has that
 * product's price and SKU.
 */
function truthOf(listing: SandboxListing, url: string): ExpectedListing {
  const onSale = listing.products.filter(({ isEnabled, quantity }) => isEnabled && quantity > 0)
  const [only] = unitsLeft(listing) === 1 ? onSale : listing.products.length === 1 ? listing.products : []
  const amount = only?.amount ?? Math.min(...listing.products.map((product) => product.amount))
  const price_minor = (amount * 10 ** currencyExponent(listing.currency)) / listing.divisor
  return {
    listing_id: String(listing.listingId),
    title: listing.title,
    price_minor,
    currency: listing.currency,
    sku: only?.sku || null,
    images: Array.from(
      { length: listing.pictures },
      (_, index) => `${url}/image/${listing.listingId}/il_fullxfull.${index + 1}.png`,
    ),
    quantity: unitsLeft(listing),
    isUnreadable: !Number.isInteger(price_minor),
  }
}
