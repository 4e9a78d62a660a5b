import type { ComplianceSubject } from '#server/integrations/testing/compliance.ts'
import { createEbaySandbox } from '#server/sandbox/ebay/index.ts'
import { unitsLeft } from '#server/sandbox/ebay/item.ts'
import { consentAs } from '#server/sandbox/testing/consent-on-ebay.ts'
import { minorFromDecimal } from '#shared/money.ts'
import { createEbayAdapter } from '../index.ts'

const calls = { list: 'GetSellerList', ids: 'GetMyeBaySelling', item: 'GetItem', token: 'token', identity: 'identity' }

/** The eBay adapter and its sandbox for the compliance suite. */
export const ebay: ComplianceSubject = {
  slug: 'ebay',
  readsDetailsLater: true,
  async start({ fetch, timeoutMs }) {
    const redirectUri = 'http://127.0.0.1:8080/accounts/ebay/login/callback/'
    const client = { clientId: 'Compliance-EBAY', clientSecret: 'compliance-secret', ruName: 'Compliance-RuName' }
    const sandbox = createEbaySandbox({ ...client, acceptUrl: redirectUri })
    const url = await sandbox.listen(0)
    const create = (timeoutMs: number) =>
      createEbayAdapter({
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
      adapter: create(timeoutMs),
      impatient: create(100),
      clientSecret: client.clientSecret,
      redirectUri,
      consent: consentAs,
      sellers: { busy: 'vintage_vera', small: 'camera_carl', empty: 'empty_eve' },
      activeListings: (seller) =>
        sandbox.market
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
        sandbox.market
          .itemsOf(seller)
          .filter((item) => item.status !== 'Active' && item.quantitySold > 0)
          .map((item) => item.itemId),
      sell: (listingId) => void sandbox.market.sell(listingId, unitsLeft(sandbox.market.find(listingId)!.item)),
      add: (seller, title) => sandbox.market.add(seller, { title }).itemId,
      remove: (listingId) => sandbox.market.remove(listingId),
      end: (listingId) => void sandbox.market.end(listingId),
      relist(listingId) {
        const { quantitySold } = sandbox.market.find(listingId)!.item
        sandbox.market.change(listingId, { status: 'Active', endTime: null, quantity: quantitySold + 1 })
      },
      revoke: (seller) => sandbox.grants.revoke(seller),
      expireAccess: (seller) => sandbox.grants.expireAccess(seller),
      fault: (target, kind, times, skip = 0) =>
        sandbox.faults.set({ call: calls[target], kind, times, skip, delayMs: timeoutMs * 3 }),
      poison: (itemId) =>
        sandbox.faults.set({ call: 'GetItem', kind: 'http_500', times: Number.POSITIVE_INFINITY, itemId }),
      clearFaults: () => sandbox.faults.clear(),
      close: () => sandbox.close(),
    }
  },
}
