import type { ComplianceSubject } from '#server/integrations/compliance.ts'
import { consentAs } from '#server/sandbox/ebay/consent.ts'
import { createEbayFake } from '#server/sandbox/ebay/index.ts'
import { unitsLeft } from '#server/sandbox/ebay/item.ts'
import { minorFromDecimal } from '#shared/money.ts'
import { createEbayAdapter } from '../index.ts'

const calls = { list: 'GetSellerList', ids: 'GetMyeBaySelling', item: 'GetItem', token: 'token', identity: 'identity' }

/** eBay for the compliance suite. */
export const ebay: ComplianceSubject = {
  slug: 'ebay',
  readsDetailsLater: true,
  async start({ fetch, timeoutMs }) {
    const redirectUri = 'http://127.0.0.1:8080/accounts/ebay/login/callback/'
    const client = { clientId: 'Compliance-EBAY', clientSecret: 'compliance-secret', ruName: 'Compliance-RuName' }
    const fake = createEbayFake({ ...client, acceptUrl: redirectUri })
    const url = await fake.listen(0)
    const adapter = createEbayAdapter({
      config: {
        EBAY_CLIENT_ID: client.clientId,
        EBAY_CLIENT_SECRET: client.clientSecret,
        EBAY_RU_NAME: client.ruName,
        EBAY_AUTH_URL: url,
        EBAY_API_URL: url,
        EBAY_APIZ_URL: url,
      },
      fetch,
      timeoutMs,
    })
    return {
      adapter,
      clientSecret: client.clientSecret,
      redirectUri,
      consent: consentAs,
      sellers: { busy: 'vintage_vera', small: 'camera_carl', empty: 'empty_eve' },
      onOffer: (seller) =>
        fake.world
          .itemsOf(seller)
          .filter((item) => item.status === 'Active')
          .map((item) => ({
            listing_id: item.itemId,
            title: item.title,
            price_minor: minorFromDecimal(item.price, item.currency)!,
            currency: item.currency,
            sku: item.sku,
            images: Array.from(
              { length: item.pictures },
              (_, index) => `${url}/images/${item.itemId}/${index + 1}.png`,
            ),
            quantity: unitsLeft(item),
            isUnreadable: item.failures !== 0,
          })),
      soldIds: (seller) =>
        fake.world
          .itemsOf(seller)
          .filter((item) => item.status !== 'Active' && item.quantitySold > 0)
          .map((item) => item.itemId),
      sell: (listingId) => void fake.world.sell(listingId, unitsLeft(fake.world.find(listingId)!.item)),
      add: (seller, title) => fake.world.add(seller, { title }).itemId,
      remove: (listingId) => fake.world.remove(listingId),
      end: (listingId) => void fake.world.end(listingId),
      putUpAgain(listingId) {
        const { quantitySold } = fake.world.find(listingId)!.item
        fake.world.change(listingId, { status: 'Active', endTime: null, quantity: quantitySold + 1 })
      },
      revoke: (seller) => fake.grants.revoke(seller),
      expireAccess: (seller) => fake.grants.expireAccess(seller),
      fault: (target, kind, times, skip = 0) =>
        fake.faults.set({ call: calls[target], kind, times, skip, delayMs: timeoutMs * 3 }),
      poison: (itemId) =>
        fake.faults.set({ call: 'GetItem', kind: 'http_500', times: Number.POSITIVE_INFINITY, itemId }),
      clearFaults: () => fake.faults.clear(),
      close: () => fake.close(),
    }
  },
}
