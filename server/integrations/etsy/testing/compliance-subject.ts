import type { ComplianceSubject, TrueListing } from '#server/integrations/compliance.ts'
import { consentAs } from '#server/sandbox/etsy/consent.ts'
import { type FakeListing, unitsLeft } from '#server/sandbox/etsy/listing.ts'
import { currencyExponent } from '#shared/money.ts'
import { client, startFake } from './running-fake.ts'

/** Etsy for the compliance suite. */
export const etsy: ComplianceSubject = {
  slug: 'etsy',
  async start({ fetch, timeoutMs }) {
    const { fake, url, adapter } = await startFake({}, { fetch, timeoutMs })
    const shopOf = (name: string) => fake.world.shopNamed(name)!
    const inState = (name: string, state: FakeListing['state']) =>
      fake.world.listingsOf(shopOf(name).shopId).filter((listing) => listing.state === state)
    return {
      adapter,
      clientSecret: client.clientSecret,
      redirectUri: client.redirectUris[0]!,
      consent: consentAs,
      sellers: { busy: 'VintageVeraShop', small: 'KyotoKanaCrafts', empty: 'EmptyEveShop' },
      onOffer: (name) => inState(name, 'active').map((listing) => truthOf(listing, url)),
      soldIds: (name) => inState(name, 'sold_out').map(({ listingId }) => String(listingId)),
      sell: (id) => void fake.world.sell(Number(id), unitsLeft(fake.world.find(Number(id))!.listing)),
      add: (name, title) => String(fake.world.add(shopOf(name).shopId, { title }).listingId),
      remove: (id) => fake.world.remove(Number(id)),
      end: (id) => void fake.world.deactivate(Number(id)),
      putUpAgain(id) {
        const [first, ...others] = fake.world.find(Number(id))!.listing.products
        fake.world.change(Number(id), { state: 'active', products: [{ ...first!, quantity: 1 }, ...others] })
      },
      revoke: (name) => fake.grants.revoke(shopOf(name).userId),
      expireAccess: (name) => fake.grants.expireAccess(shopOf(name).userId),
      fault(target, kind, times) {
        const strike = { kind, delayMs: timeoutMs * 3 }
        if (target === 'token') return fake.faults.set({ ...strike, call: 'token', times })
        if (target === 'identity') return fake.faults.set({ ...strike, call: 'getMe', times })
        // One call brings a hundred listings: a listing stumbles where its page does, and a page that is to fail must
        // fail in its parts too, of which the adapter would put it together.
        const isWhole = target !== 'item' || times === Number.POSITIVE_INFINITY
        fake.faults.set({ ...strike, call: isWhole ? '*' : 'getListingsByShop', times: isWhole ? 1_000 : times })
      },
      poison: (id) => void fake.world.change(Number(id), { failures: 'always' }),
      clearFaults() {
        fake.faults.clear()
        for (const { shop } of fake.world.users()) {
          const listings = shop ? fake.world.listingsOf(shop.shopId) : []
          for (const { listingId, failures } of [...listings]) {
            if (failures !== 0) fake.world.change(listingId, { failures: 0 })
          }
        }
      },
      close: () => fake.close(),
    }
  },
}

/** What an import must show of a listing: where one unit of several products is left, that product's price and SKU. */
function truthOf(listing: FakeListing, url: string): TrueListing {
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
