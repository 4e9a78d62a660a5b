import type { SandboxItem } from '../ebay/item.ts'
import { createDice, generateItems, type ItemKind } from '../ebay/shop.ts'
import { plainListing, plainProduct, type SandboxListing } from './listing.ts'

type Dice = ReturnType<typeof createDice>

/**
 * Generates `count` believable listings with ids from `firstId`, listed one after another from March 2025. They are the
 * sandbox eBay's items in an Etsy seller's words, with unique titles, the same for the same seed.
 */
export function generateShop(options: {
  count: number
  seed?: number
  firstId?: number
  /** Null: no SKUs. */
  skuPrefix?: string | null
  kinds?: ItemKind[]
}): SandboxListing[] {
  const { count, seed = 5, firstId = 1_700_000_000, skuPrefix = 'ET', kinds = ['clothing', 'camera', 'book'] } = options
  const items = generateItems({ count, firstId: 1, seed, skuPrefix: skuPrefix ?? '', kinds })
  const dice = createDice(seed + 1)
  const titles = new Set<string>()
  return items.map((item, index) => {
    const sku = skuPrefix === null ? '' : item.sku
    const listing = listOnEtsy(item, { listingId: firstId + index * 41, sku, dice })
    const title = titles.has(listing.title) ? `${listing.title.slice(0, 125)}, no ${index + 1}` : listing.title
    titles.add(title)
    return { ...listing, title, pictured: { id: String(listing.listingId), title } }
  })
}

/** Returns an eBay item as the same seller lists it on Etsy: other title, price and SKU, same pictures. */
export function listOnEtsy(
  item: SandboxItem,
  { listingId, sku, dice }: { listingId: number; sku: string | null; dice: Dice },
): SandboxListing {
  const brand = specificOf(item, 'Brand')
  const size = specificOf(item, 'Size') ?? specificOf(item, 'US Shoe Size')
  const color = specificOf(item, 'Color')
  const properties = [
    ...(color ? [{ id: 200, name: 'Primary color', values: [color] }] : []),
    ...(size ? [{ id: 100, name: 'Size', values: [size] }] : []),
    ...(brand && brand !== 'Unbranded' ? [{ id: 514, name: 'Brand', values: [brand] }] : []),
  ]
  const amount = reprice(Math.round(Number(item.price) * 100), dice)
  const originalCreated = Math.floor(Date.parse(item.startTime) / 1000) + dice.between(1, 20) * 86_400
  return plainListing({
    listingId,
    title: retitle(item, dice).slice(0, 140),
    description: retellDescription(item, dice),
    products: [plainProduct({ sku: sku ?? '', amount, properties })],
    pictures: item.pictures,
    pictured: { id: item.itemId, title: item.title },
    whenMade: eraOf(item),
    taxonomyId: taxonomyOf(item),
    tags: ['vintage', ...(brand ? [brand.toLowerCase().slice(0, 20)] : []), ...(color ? [color.toLowerCase()] : [])],
    originalCreated,
    created: originalCreated,
    updated: originalCreated + dice.between(0, 30) * 86_400,
  })
}

/** Returns a title in other words; Etsy's may be longer than eBay's 80 characters. */
function retitle(item: SandboxItem, dice: Dice): string {
  const kind = item.category.name
  if (kind.startsWith('Cameras')) {
    const [what = '', state = ''] = item.title.split(' - ')
    const plain = what.replace(' Film Camera', '')
    return dice.pick([
      `${plain}, vintage film camera, ${state.toLowerCase()}`,
      `Vintage ${plain} analog camera | ${state}`,
      `${plain} 35mm camera "${state}" gift for photographers`,
    ])
  }
  if (kind.startsWith('Books')) {
    const author = specificOf(item, 'Author') ?? ''
    const [work = '', rest = ''] = item.title.split(` by ${author} `)
    return dice.pick([
      `${author}: ${work}, ${rest}, antique book`,
      `${work} | ${author} | ${rest} | vintage book`,
      `Old book "${work}" by ${author}, ${rest}`,
    ])
  }
  const brand = specificOf(item, 'Brand') ?? ''
  const decade = specificOf(item, 'Decade') ?? ''
  const bare = item.title.replace('Vintage ', '').replace(`${decade} `, '').replace('Size ', 'size ')
  const era = decade === 'Y2K' ? 'Y2K' : `${decade.slice(2)}`
  const label = brand === 'Unbranded' ? bare.replace('Unbranded ', '') : bare
  return dice.pick([
    `${era} ${label}, vintage clothing`,
    `${label} | ${era} vintage, seller's favorite`,
    `Vintage ${era} ${label} & free gift wrap`,
  ])
}

function retellDescription(item: SandboxItem, dice: Dice): string {
  const plain = item.description
    .replace(/<\/(p|li|h1|h2|tr|ul)>/g, '\n')
    .replace(/<[^<>]*>/g, ' ')
    .replaceAll('&quot;', '"')
    .replaceAll('&amp;', '&')
    .replace(/[ \t]+/g, ' ')
    .replace(/\n\s+/g, '\n')
    .trim()
  const greeting = dice.pick(['Lovely & rare!', "It's one of a kind.", 'Found at an estate sale.'])
  return `${greeting}\n\n${plain}\n\nPlease look at the pictures; ask before you buy.`
}

function reprice(cents: number, dice: Dice): number {
  if (dice.chance(0.3)) return cents
  return Math.round((cents * dice.between(96, 115)) / 100 / 25) * 25
}

function eraOf(item: SandboxItem): string {
  const decade = specificOf(item, 'Decade')
  if (decade === 'Y2K') return '2000_2006'
  if (decade) return decade
  const year = Number(specificOf(item, 'Publication Year'))
  return year ? `${Math.floor(year / 10) * 10}s` : '1970s'
}

/** Returns the taxonomy id that fits an item. */
function taxonomyOf(item: SandboxItem): number {
  const { name } = item.category
  if (name.startsWith('Cameras')) return 382
  if (name.startsWith('Books')) return 323
  return name.includes('Dresses') ? 471 : name.includes('Women') ? 374 : 429
}

function specificOf(item: SandboxItem, name: string): string | undefined {
  return item.specifics.find((specific) => specific.name === name)?.values[0]
}
