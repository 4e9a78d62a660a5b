import { createEbaySandbox } from '#server/sandbox/ebay/index.ts'
import { generateShop as generateEbayShop } from '#server/sandbox/ebay/market.ts'
import { createEtsySandbox } from '#server/sandbox/etsy/index.ts'
import { generateShop as generateEtsyShop } from '#server/sandbox/etsy/shop.ts'
import type { SandboxPlan } from './import-stage.ts'

/** Runs the sandbox platforms with a big shop each, and sends their addresses to the parent process. */
const {
  count,
  ebayLimits,
  etsyLimits,
  small = { shops: 0, count: 0 },
} = JSON.parse(process.argv[2] ?? '') as SandboxPlan
const shop = 'big_shop'
const smallShops = Array.from({ length: small.shops }, (_, index) => `small_shop_${index}`)

const ebay = createEbaySandbox({
  clientId: 'Bench',
  clientSecret: 'bench',
  ruName: 'Bench',
  acceptUrl: 'http://127.0.0.1:1/callback/',
  callLimits: ebayLimits ?? null,
  usual: false,
  sellers: [{ username: shop, items: withDuplicates(generateEbayShop({ count })) }],
})
const etsy = createEtsySandbox({
  clientId: 'bench',
  clientSecret: 'bench',
  redirectUris: ['http://127.0.0.1:1/callback/'],
  limits: etsyLimits ?? null,
  usual: false,
  shops: [
    { shopName: shop, listings: generateEtsyShop({ count }) },
    ...smallShops.map((shopName, index) => ({
      shopName,
      listings: generateEtsyShop({ count: small.count, firstId: 1_900_000_000 + index * 10_000, seed: 100 + index }),
    })),
  ],
})
const [ebayUrl, etsyUrl] = [await ebay.listen(0), await etsy.listen(0)]
process.send?.({
  ebay: { url: ebayUrl, grant: ebay.grant(shop) },
  etsy: { url: etsyUrl, grant: etsy.grant(shop), shopId: etsy.market.shopNamed(shop)?.shopId },
  small: smallShops.map((name) => ({ grant: etsy.grant(name), shopId: etsy.market.shopNamed(name)?.shopId })),
})

/** Gives one listing in a hundred the SKU of the previous one. */
function withDuplicates<Item extends { sku: string | null }>(items: Item[]): Item[] {
  return items.map((item, index) => (index % 100 === 99 ? { ...item, sku: items[index - 1]?.sku ?? null } : item))
}
