import type { InventoryItem } from '#shared/contract/catalog/inventory.ts'
import { newOrderedId } from '#shared/identity.ts'
import type { PlatformSlug } from '#shared/platforms.ts'
import { inventoryItem } from './inventory-item.ts'

const adjectives = ['Wool', 'Linen', 'Vintage', 'Cream', 'Leather', 'Silk', 'Denim', 'Quilted', 'Corduroy', 'Striped']
const things = ['coat', 'boots', 'dress', 'camera', 'jumper', 'satchel', 'blazer', 'skirt', 'lamp', 'Café shirt']
const colours = ['green', 'navy', 'black', 'rust', 'oat', 'red', 'ochre']
const brands = ['Marlowe', 'Tamsin & Co', 'Alder', 'North Quay', 'Juno']
const shops: PlatformSlug[][] = [['ebay', 'poshmark'], ['etsy'], ['depop', 'ebay', 'etsy'], [], ['mercari', 'poshmark']]

const pick = <T>(list: readonly T[], n: number): T => list[n % list.length]!

/** Creates the n-th sample item (n from 0). A tenth is sold, a tenth withdrawn. */
export function sampleItem(n: number, changes: Partial<InventoryItem> = {}): InventoryItem {
  const state = n % 10 === 7 ? 'sold' : n % 10 === 4 ? 'withdrawn' : n % 29 === 3 ? 'reserved' : 'available'
  const price = 900 + ((n * 7_919) % 24_000)
  const item = inventoryItem('ebay', {
    listing_id: `e-${n}`,
    url: `https://www.ebay.com/itm/${n}`,
    title: `${pick(adjectives, n)} ${pick(things, n * 3 + Math.floor(n / 10))}, ${pick(colours, n)}`,
    description: `About thing number ${n}. Kept with care, measured lying flat.`,
    price_minor: price,
    currency: 'USD',
    state: 'available',
    images: [0, 1, 2].map((picture) => `https://di2ponv0v5otw.cloudfront.net/stock/${n}-${picture}.jpg`),
    sku: n % 6 === 5 ? undefined : `HX-${String(n).padStart(5, '0')}`,
    brand: pick(brands, n),
    size: pick(['S', 'M', 'L', '8', '10'], n),
    condition: 'Pre-owned, good',
  })
  const at = new Date(Date.now() - n * 7_200_000).toISOString()
  const live = state === 'available' || state === 'reserved' ? 'available' : 'removed'
  item.uid = newOrderedId('inv')
  item.listings = pick(shops, n).map((platform, index) => ({
    platform,
    listing_id: `${platform}-${n}`,
    url: `https://www.${platform}.com/${n}`,
    state: state === 'sold' && index === 0 ? 'sold' : live,
    price_minor: price,
    currency: 'USD',
  }))
  item.record.lifecycle.state = state
  item.record.offer.availability = state
  item.record.offer.quantity = live === 'available' ? 1 : 0
  return { ...item, created_at: at, updated_at: at, ...changes }
}

/** Creates `count` sample items, newest first. */
export function sampleInventory(count: number): InventoryItem[] {
  // Create the last one first, because ids grow with time and lower numbers are newer.
  return Array.from({ length: count }, (_, n) => sampleItem(count - 1 - n)).reverse()
}
