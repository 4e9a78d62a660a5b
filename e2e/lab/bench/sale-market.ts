import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { Webhook } from 'standardwebhooks'
import { randomFrom } from '#e2e/harness/campaigns/random.ts'
import { createEbaySandbox } from '#server/sandbox/ebay/index.ts'
import { createEtsySandbox } from '#server/sandbox/etsy/index.ts'
import { plainListing } from '#server/sandbox/etsy/listing.ts'
import { generateShop } from '#server/sandbox/etsy/shop.ts'
import { ebayOrderPush, signEbay, startEbayKeys } from '#server/selling/orders/testing/ebay-keys.ts'
import { type Bought, etsySecret, type MarketPlan, type SalePlan, type StartedMarket } from './sale-stage.ts'

/**
 * Runs the sandbox platforms with many sellers and buyers, in a separate process: `sale-market.ts <MarketPlan>`. Sends
 * its addresses to the parent. On a SalePlan message, items are bought and the platforms push the orders.
 */
const plan = JSON.parse(process.argv[2] ?? '') as MarketPlan
const names = Array.from({ length: plan.sellers }, (_, index) => `seller_${index}`)
const ebay = createEbaySandbox({
  ...{ clientId: 'Bench', clientSecret: 'bench', ruName: 'Bench', acceptUrl: 'http://127.0.0.1:1/callback/' },
  callLimits: { perUser: { calls: 300, seconds: 15, of: 'all' }, perDay: plan.ebayTradingPerDay },
  usual: false,
  sellers: names.map((username) => ({ username, items: [] })),
})
const etsy = createEtsySandbox({
  ...{ clientId: 'bench', clientSecret: 'bench', redirectUris: ['http://127.0.0.1:1/callback/'] },
  limits: plan.etsy,
  usual: false,
  shops: names.map((shopName, index) => ({
    shopName,
    listings: plan.believable ? believable(index) : plain(index),
  })),
})
const keys = await startEbayKeys()
const signing = keys.issue()
const [ebayUrl, etsyUrl] = [await ebay.listen(0), await etsy.listen(0)]

const sellers = names.map((name) => {
  const shop = etsy.market.shopNamed(name)!
  const listings = etsy.market.listingsOf(shop.shopId)
  return {
    ebay: { external_id: ebay.market.seller(name)!.userId, name, grant: ebay.grant(name) },
    etsy: { external_id: String(shop.shopId), name, grant: etsy.grant(name) },
    items: listings.map((listing) => ({
      etsy: String(listing.listingId),
      ebay: ebay.market.add(name, { title: listing.title.slice(0, 80) }).itemId,
    })),
  }
})
process.send?.({ ebayUrl, etsyUrl, keysUrl: keys.url, sellers } satisfies StartedMarket)

process.on('message', (sale: SalePlan) => void sell(sale).then((bought) => process.send?.({ bought })))
process.on('disconnect', () => process.exit(0))

function plain(seller: number) {
  return Array.from({ length: plan.itemsEach }, (_, item) =>
    plainListing({ listingId: 1_000_000 + seller * plan.itemsEach + item, title: `Item ${seller}-${item}` }),
  )
}

function believable(seller: number) {
  return generateShop({ count: plan.itemsEach, firstId: 1_000_000 + seller * 1_000_000, seed: 100 + seller })
}

/** Lets buyers buy unsold items at random times, at an average rate. */
async function sell({ hapaxUrl, sales, perSecond, seed }: SalePlan): Promise<Bought[]> {
  const random = randomFrom(seed)
  const bought: Bought[] = []
  const pushes: Promise<void>[] = []
  const startedMs = performance.now()
  let dueMs = 0
  for (let number = 0; number < sales; number++) {
    dueMs += (-Math.log(1 - random()) / perSecond) * 1_000
    const waitMs = startedMs + dueMs - performance.now()
    if (waitMs > 0) await delay(waitMs)
    const index = (seed + number) % sellers.length
    const seller = sellers[index]!
    const item = seller.items.pop()
    if (!item) throw new Error('a seller has nothing left')
    const isEbay = random() < 0.5
    const order = isEbay ? ebay.market.buy(item.ebay).orderId : String(etsy.market.buy(Number(item.etsy)).receiptId)
    bought.push({ platform: isEbay ? 'ebay' : 'etsy', order, seller: index, item })
    if (hapaxUrl !== null) pushes.push(push(hapaxUrl, isEbay, seller, order))
  }
  await Promise.all(pushes)
  return bought
}

/** Sends a signed push, and repeats it if it is not acknowledged, as platforms do. */
async function push(hapaxUrl: string, isEbay: boolean, seller: (typeof sellers)[number], order: string): Promise<void> {
  const body = isEbay
    ? ebayOrderPush({ userId: seller.ebay.external_id, orderId: order })
    : JSON.stringify({
        event_type: 'order.paid',
        resource_url: `https://openapi.etsy.com/v3/application/shops/${seller.etsy.external_id}/receipts/${order}`,
        shop_id: Number(seller.etsy.external_id),
      })
  const headers = isEbay ? { 'x-ebay-signature': signEbay(body, signing) } : signEtsy(body)
  for (let attempt = 0; attempt < 5; attempt++) {
    const response = await fetch(`${hapaxUrl}/webhooks/${isEbay ? 'ebay' : 'etsy'}/`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body,
    }).catch(() => null)
    if (response?.ok) return
    await delay(1_000)
  }
  throw new Error('a push was refused five times')
}

function signEtsy(body: string): Record<string, string> {
  const [id, at] = [`msg_${randomUUID()}`, new Date()]
  return {
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(at.getTime() / 1_000)),
    'webhook-signature': new Webhook(etsySecret).sign(id, at, body),
  }
}
