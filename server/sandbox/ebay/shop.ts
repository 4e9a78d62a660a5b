import { noteOf } from '../kit/notes.ts'
import { printAmount, type SandboxItem } from './item.ts'

/**
 * Returns pseudo-random numbers that are the same for the same seed, so that the market does not change between starts.
 */
export function createDice(seed: number) {
  let state = seed >>> 0
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
  return {
    /** Returns an integer from `low` to `high`, inclusive. */
    between: (low: number, high: number) => low + Math.floor(next() * (high - low + 1)),
    pick: <T>(values: readonly T[]): T => values[Math.floor(next() * values.length)]!,
    chance: (probability: number) => next() < probability,
  }
}
type Dice = ReturnType<typeof createDice>

type Draft = Pick<SandboxItem, 'title' | 'description' | 'category' | 'specifics' | 'conditionId' | 'conditionName'> & {
  cents: number
}

const garments = [
  { name: 'Denim Jacket', category: "Men's Clothing:Coats, Jackets & Vests", id: 57988, cents: [3500, 14000] },
  { name: 'Silk Blouse', category: "Women's Clothing:Tops", id: 53159, cents: [1800, 6400] },
  { name: 'Wool Overcoat', category: "Women's Clothing:Coats, Jackets & Vests", id: 63862, cents: [5500, 24000] },
  { name: 'Corduroy Trousers', category: "Men's Clothing:Pants", id: 57989, cents: [2200, 7200] },
  { name: 'Pleated Midi Skirt', category: "Women's Clothing:Skirts", id: 63864, cents: [1900, 5800] },
  { name: 'Cable Knit Sweater', category: "Men's Clothing:Sweaters", id: 11484, cents: [2400, 9800] },
  { name: 'Leather Belt', category: "Men's Accessories:Belts", id: 2993, cents: [900, 4200] },
  { name: 'Tea Dress', category: "Women's Clothing:Dresses", id: 63861, cents: [2800, 11500] },
  { name: 'Flannel Shirt', category: "Men's Clothing:Shirts", id: 57990, cents: [1400, 4800] },
  { name: 'Trench Coat', category: "Women's Clothing:Coats, Jackets & Vests", id: 63862, cents: [6500, 32000] },
  { name: 'Ankle Boots', category: "Women's Shoes:Boots", id: 53557, cents: [3200, 12800] },
  { name: 'Silk Scarf', category: "Women's Accessories:Scarves & Wraps", id: 45238, cents: [1200, 9500] },
] as const
const labels = [
  'Levi’s',
  'Pendleton',
  'Burberrys',
  'Laura Ashley',
  'Lee',
  'Ralph Lauren',
  'Jaeger',
  'Aquascutum',
  'Woolrich',
  'Escada',
  'Wrangler',
  'St. John',
  'L.L.Bean',
  'Unbranded',
]
const decades = ['1950s', '1960s', '1970s', '1980s', '1990s', 'Y2K']
const colors = ['Navy', 'Cream', 'Rust', 'Forest Green', 'Burgundy', 'Black', 'Camel', 'Sky Blue', 'Mustard', 'Plum']
const wear = [
  ['Light fading at the cuffs, no holes.', 3000, 'Pre-owned - Good'],
  ['Looks hardly worn.', 2990, 'Pre-owned - Excellent'],
  ['One small moth hole near the hem, see the last picture.', 3010, 'Pre-owned - Fair'],
  ['Unworn, the shop tag is still on it.', 1000, 'New with tags'],
] as const

/** Returns the sizes on a garment's label. */
function sizesOf({ name, category }: (typeof garments)[number]): string[] {
  if (name === 'Silk Scarf') return ['One Size']
  if (name === 'Leather Belt' || name === 'Corduroy Trousers') return ['30', '32', '34', '36', '38']
  return ['XS', 'S', 'M', 'L', 'XL', ...(category.startsWith('Men') ? ['38R', '40R'] : ['8', '10', '12', '14'])]
}

/** Returns what a seller measures on a garment, in inches. */
function measuresOf(name: string, width: number, length: number): string {
  if (name === 'Silk Scarf') return `${length}&quot; square`
  if (name === 'Leather Belt') return `${length}&quot; long`
  if (name === 'Ankle Boots') return `Shaft ${Math.round(length / 6)}&quot;`
  const across = /Trousers|Skirt/.test(name) ? 'Waist, laid flat,' : 'Pit to pit'
  return `${across} ${width}&quot;, length ${length}&quot;`
}

function clothing(dice: Dice): Draft {
  const garment = dice.pick(garments)
  const [label, decade, color] = [dice.pick(labels), dice.pick(decades), dice.pick(colors)]
  const size = dice.pick(sizesOf(garment))
  const [note, conditionId, conditionName] = dice.pick(wear)
  const isShoe = garment.name === 'Ankle Boots'
  const shown = isShoe ? String(dice.between(5, 11)) : size
  return {
    title: `Vintage ${decade} ${label} ${garment.name} ${color} ${size === 'One Size' ? '' : 'Size '}${shown}`,
    description: `<p><b>${label} ${garment.name.toLowerCase()}</b>, ${decade}.</p><ul><li>Color: ${color}</li><li>Size on the label: ${shown}</li><li>${measuresOf(garment.name, dice.between(16, 24), dice.between(22, 46))}</li></ul><p>${note}</p>`,
    cents: amount(dice, garment.cents[0], garment.cents[1]),
    category: { id: garment.id, name: `Clothing, Shoes & Accessories:${garment.category}` },
    specifics: [
      { name: 'Brand', values: [label] },
      { name: isShoe ? 'US Shoe Size' : 'Size', values: [shown] },
      { name: 'Color', values: dice.chance(0.1) ? [color, 'Multicolor'] : [color] },
      { name: 'Decade', values: [decade] },
    ],
    conditionId,
    conditionName,
  }
}

const bodies = [
  ['Canon', 'AE-1 Program', 9500, 21000],
  ['Canon', 'Canonet QL17 GIII', 11000, 24000],
  ['Nikon', 'FM2', 18000, 36000],
  ['Nikon', 'EM', 4500, 9000],
  ['Olympus', 'OM-1', 9000, 19000],
  ['Olympus', 'Trip 35', 6500, 12000],
  ['Pentax', 'K1000', 8500, 18000],
  ['Pentax', 'Spotmatic F', 6000, 13000],
  ['Minolta', 'X-700', 8000, 16500],
  ['Minolta', 'Hi-Matic 7s', 4200, 8800],
  ['Yashica', 'Electro 35 GSN', 6000, 12500],
  ['Yashica', 'Mat-124G', 22000, 42000],
  ['Rolleiflex', '3.5F', 65000, 120000],
  ['Zeiss Ikon', 'Contaflex', 4000, 9500],
  ['Kodak', 'Retina IIa', 7000, 14500],
  ['Polaroid', 'SX-70', 12000, 26000],
] as const
const lenses = ['50mm f/1.8', '50mm f/1.4', '35mm f/2.8', '28mm f/2.8', '135mm f/3.5', 'body only']
const states = ['Tested with film', 'Meter untested', 'New light seals', 'For display', 'CLA in 2024']
/** Extras that tell a camera from another of its model. */
const extras =
  'w/ Case,w/ Box,w/ Strap,w/ Manual,w/ Lens Cap,w/ Flash,w/ Lens Hood,w/ Filter,Chrome,Black,One Owner,Boxed'.split(
    ',',
  )

function camera(dice: Dice): Draft {
  const [brand, model, low, high] = dice.pick(bodies)
  const [lens, state] = [dice.pick(lenses), dice.pick(states)]
  const serial = dice.between(100_000, 999_999)
  const isBroken = state === 'For display'
  return {
    title: `${brand} ${model} Film Camera ${lens} ${extras[serial % extras.length]} - ${state}`,
    description: `<h2>${brand} ${model}</h2><p>Serial ${serial}, ${lens}. ${state}.</p><table><tr><td>Shutter</td><td>${isBroken ? 'stuck' : 'fires at all speeds'}</td></tr><tr><td>Glass</td><td>clean, light dust</td></tr></table>`,
    cents: amount(dice, low, high),
    category: { id: 15230, name: 'Cameras & Photo:Film Photography:Film Cameras' },
    specifics: [
      { name: 'Brand', values: [brand] },
      { name: 'Model', values: [model] },
      { name: 'Color', values: [dice.pick(['Silver', 'Black'])] },
    ],
    conditionId: isBroken ? 7000 : 3000,
    conditionName: isBroken ? 'For parts or not working' : 'Used',
  }
}

const works = [
  ['The Secret Garden', 'Frances Hodgson Burnett', 1949],
  ['Kidnapped', 'Robert Louis Stevenson', 1938],
  ['Jane Eyre', 'Charlotte Brontë', 1943],
  ['Moby-Dick', 'Herman Melville', 1930],
  ['The Wind in the Willows', 'Kenneth Grahame', 1953],
  ['Walden', 'Henry David Thoreau', 1964],
  ['The Call of the Wild', 'Jack London', 1926],
  ['Little Women', 'Louisa May Alcott', 1947],
  ['Middlemarch', 'George Eliot', 1958],
  ['Great Expectations', 'Charles Dickens', 1937],
  ['The Time Machine', 'H. G. Wells', 1964],
  ['Emma', 'Jane Austen', 1941],
  ['Leaves of Grass', 'Walt Whitman', 1955],
  ['The Moonstone', 'Wilkie Collins', 1959],
] as const
const houses = ['Heritage Press', 'Everyman', 'Modern Library', 'Grosset & Dunlap', 'Folio Society', 'Penguin']
const bindings = ['Hardcover', 'Hardcover with Jacket', 'Illustrated', 'Slipcase', 'Leather']

function book(dice: Dice): Draft {
  const [title, author, year] = dice.pick(works)
  const [house, binding, printed] = [dice.pick(houses), dice.pick(bindings), year + dice.between(0, 12)]
  const condition = dice.pick([[4000, 'Very Good'] as const, [5000, 'Good'] as const, [6000, 'Acceptable'] as const])
  return {
    title: `${title} by ${author} ${printed} ${house} ${binding}`.slice(0, 80),
    description: `<p><i>${title}</i> by ${author}. ${house}, ${printed}. ${binding}.</p><p>Pages clean &amp; tight; ${dice.pick(['name on the flyleaf', 'no writing', 'bookplate inside', 'spine a little sunned'])}.</p>`,
    cents: amount(dice, 600, 5200),
    category: { id: 261186, name: 'Books & Magazines:Books' },
    specifics: [
      { name: 'Author', values: [author] },
      { name: 'Publisher', values: [house] },
      { name: 'Publication Year', values: [String(printed)] },
    ],
    conditionId: condition[0],
    conditionName: condition[1],
  }
}

/** Returns an amount as sellers set them: mostly .99, .50 or whole. */
function amount(dice: Dice, low: number, high: number): number {
  const whole = Math.floor(dice.between(low, high) / 100) * 100
  return whole + dice.pick([99, 50, 0, 95, 49])
}

const kinds = { clothing, camera, book }
export type ItemKind = keyof typeof kinds

/** Returns an item with defaults, so that a test states only the fields it needs. */
export function plainItem(overrides: Partial<SandboxItem> & { itemId: string }): SandboxItem {
  return {
    title: `Listing ${overrides.itemId}`,
    description: `<p>${noteOf(overrides.itemId)}</p>`,
    sku: null,
    price: '20.0',
    currency: 'USD',
    quantity: 1,
    quantitySold: 0,
    pictures: 1,
    listingType: 'FixedPriceItem',
    status: 'Active',
    conditionId: 3000,
    conditionName: 'Used',
    conditionNotes: null,
    category: { id: 1, name: 'Collectibles:Other' },
    specifics: [],
    variations: [],
    startTime: '2025-03-01T09:00:00.000Z',
    endTime: null,
    failures: 0,
    ...overrides,
  }
}

/**
 * Generates `count` believable items with ids from `firstId`, started one after another from March 2025. Titles and
 * SKUs are unique.
 */
export function generateItems(options: {
  count: number
  firstId?: number
  seed?: number
  skuPrefix?: string
  kinds?: readonly ItemKind[]
}): SandboxItem[] {
  const { count, firstId = 286_000_000_000, skuPrefix = 'GEN' } = options
  const { kinds: wanted = ['clothing', 'camera', 'book'] } = options
  const dice = createDice(options.seed ?? 7)
  const titles = new Set<string>()
  return Array.from({ length: count }, (_, index) => {
    let draft = kinds[dice.pick(wanted)](dice)
    for (let tries = 0; titles.has(draft.title); tries++) {
      draft = kinds[dice.pick(wanted)](dice)
      if (tries > 20) draft = { ...draft, title: `${draft.title.slice(0, 70)} No ${index + 1}` }
    }
    titles.add(draft.title)
    const { cents, ...rest } = draft
    const minutes = Math.floor((index * 300 * 24 * 60) / Math.max(count, 1)) + dice.between(0, 9)
    return plainItem({
      ...rest,
      itemId: String(firstId + index * 37),
      sku: `${skuPrefix}-${String(index + 1).padStart(4, '0')}`,
      price: printAmount(cents),
      pictures: dice.between(1, 6),
      conditionNotes: dice.chance(0.15) ? 'Please look at all pictures.' : null,
      startTime: new Date(Date.UTC(2025, 2, 1, 9) + minutes * 60_000).toISOString(),
    })
  })
}
