import type { Described } from '#server/catalog/imports/matching/features.ts'
import { type GrayPicture, photoHash } from '#server/catalog/imports/matching/photo-hash.ts'

/** Two descriptions, and whether they describe the same physical item. */
export interface LabelledPair {
  kind: string
  same: boolean
  one: Described
  other: Described
}

interface Item {
  brand: string
  noun: string
  color: string
  material: string
  decade: string
  model: string
  size: string
  price_minor: number
  scene: number
}

const brands =
  `Marimekko|Levi's|Pendleton|Burberry|Nike|Adidas|Ralph Lauren|Carhartt|Patagonia|Coach|Gunne Sax|Wrangler|Barbour|Laura Ashley|Schott|Hermès|Missoni|Diane von Furstenberg|Columbia|The North Face|Fiorucci|Escada|Stüssy|Champion|Dr. Martens|Unbranded`.split(
    '|',
  )
const nouns =
  'wool coat|denim jacket|silk scarf|linen shirt|leather boots|corduroy trousers|knit sweater|midi dress|pleated skirt|down vest|trench coat|cotton cardigan|leather bag|running sneakers|flannel shirt|jumpsuit|blazer|parka'.split(
    '|',
  )
const colors = 'black|white|gray|red|pink|orange|yellow|green|blue|purple|brown|beige'.split('|')
const materials = 'wool|cotton|silk|linen|leather|suede|corduroy|velvet|cashmere|nylon'.split('|')
const decades = '1960s|1970s|1980s|1990s|2000s'.split('|')
const letterSizes: [string, string][] = [
  ['XS', 'X-Small'],
  ['S', 'Small'],
  ['M', 'Medium'],
  ['L', 'Large'],
  ['XL', 'X-Large'],
]
const fillers = 'Vintage|Rare|Beautiful|NWT|Retro|Gorgeous|Authentic|Boho'.split('|')
const tails = 'free gift wrap|great condition|fast shipping|estate find|must see|womens|unisex'.split('|')
const words: [string, string][] = [
  ['trousers', 'pants'],
  ['sweater', 'jumper'],
  ['sneakers', 'trainers'],
  ['bag', 'purse'],
  ['gray', 'grey'],
]

/**
 * Generates pairs of descriptions, deterministic by seed. Same items are retitled or repriced, with cropped or new
 * pictures. Different items look alike: another copy of the model, another size or color with the same stock photo, or
 * the same words.
 */
export function labelledSet(options: { seed: number; pairs: number }): LabelledPair[] {
  const dice = createDice(options.seed)
  const kinds: { kind: string; same: boolean; share: number; make: () => [Described, Described] }[] = [
    { kind: 'retitled', same: true, share: 14, make: () => describeTwice(dice, { photo: 'same' }) },
    {
      kind: 'retitled and repriced',
      same: true,
      share: 14,
      make: () => describeTwice(dice, { photo: 'same', reprice: true }),
    },
    {
      kind: 'retitled, repriced, re-cropped',
      same: true,
      share: 18,
      make: () => describeTwice(dice, { photo: 'cut', reprice: true }),
    },
    {
      kind: 'other pictures of it',
      same: true,
      share: 6,
      make: () => describeTwice(dice, { photo: 'other', reprice: true }),
    },
    { kind: 'another item', same: false, share: 16, make: () => twoItems(dice, {}) },
    { kind: 'of one brand and kind', same: false, share: 8, make: () => twoItems(dice, { sameModel: 'brand' }) },
    { kind: 'another copy of the model', same: false, share: 8, make: () => twoItems(dice, { sameModel: 'copy' }) },
    {
      kind: 'another size, same stock photo',
      same: false,
      share: 6,
      make: () => twoItems(dice, { sameModel: 'size', stockPhoto: true }),
    },
    {
      kind: 'another color, same stock photo',
      same: false,
      share: 5,
      make: () => twoItems(dice, { sameModel: 'color', stockPhoto: true }),
    },
    {
      kind: 'another model, same stock photo',
      same: false,
      share: 5,
      make: () => twoItems(dice, { sameModel: 'model', stockPhoto: true }),
    },
  ]
  const total = kinds.reduce((sum, { share }) => sum + share, 0)
  return kinds.flatMap(({ kind, same, share, make }) =>
    Array.from({ length: Math.ceil((options.pairs * share) / total) }, () => {
      const [one, other] = make()
      return { kind, same, one, other }
    }),
  )
}

type Dice = ReturnType<typeof createDice>

function describeTwice(
  dice: Dice,
  how: { photo: 'same' | 'cut' | 'other'; reprice?: boolean },
): [Described, Described] {
  const item = makeItem(dice)
  const price = how.reprice ? Math.round(item.price_minor * (0.75 + dice.next() * 0.6)) : item.price_minor
  const scene = how.photo === 'other' ? dice.below(1e9) : item.scene
  return [
    describe(dice, item, {}),
    describe(dice, { ...item, price_minor: price, scene }, { cut: how.photo === 'cut', vague: true }),
  ]
}

function twoItems(
  dice: Dice,
  how: { sameModel?: 'brand' | 'copy' | 'size' | 'color' | 'model'; stockPhoto?: boolean },
): [Described, Described] {
  const first = makeItem(dice)
  const second = { ...makeItem(dice) }
  if (how.sameModel) Object.assign(second, { brand: first.brand, noun: first.noun })
  if (how.sameModel && how.sameModel !== 'brand') {
    Object.assign(second, {
      ...first,
      scene: second.scene,
      price_minor: Math.round(first.price_minor * (0.9 + dice.next() * 0.2)),
    })
  }
  if (how.sameModel === 'size')
    second.size = dice.other(
      letterSizes.map(([size]) => size),
      first.size,
    )
  if (how.sameModel === 'color') second.color = dice.other(colors, first.color)
  if (how.sameModel === 'model') {
    first.model = `A${100 + dice.below(400)}`
    second.model = `B${500 + dice.below(400)}`
  }
  if (how.stockPhoto) second.scene = first.scene
  return [describe(dice, first, {}), describe(dice, second, {})]
}

function makeItem(dice: Dice): Item {
  return {
    brand: dice.pick(brands),
    noun: dice.pick(nouns),
    color: dice.pick(colors),
    material: dice.pick(materials),
    decade: dice.pick(decades),
    model: dice.chance(0.3) ? `${dice.pick(['A', 'K', 'No', 'M'])}${10 + dice.below(900)}` : '',
    size: dice.pick(letterSizes)[0],
    price_minor: 100 * (10 + dice.below(300)),
    scene: dice.below(1e9),
  }
}

/** Describes an item as a seller would. `vague` omits details that the other platform does not ask for. */
function describe(dice: Dice, item: Item, how: { cut?: boolean; vague?: boolean }): Described {
  const size = dice.chance(0.5) ? item.size : (letterSizes.find(([short]) => short === item.size)?.[1] ?? item.size)
  const branded = item.brand !== 'Unbranded'
  const parts = dice.shuffle([
    ...(branded ? [item.brand] : []),
    item.noun,
    item.color,
    ...(dice.chance(0.7) ? [item.material] : []),
    ...(dice.chance(0.7) ? [dice.chance(0.5) ? item.decade : item.decade.slice(2)] : []),
    ...(item.model ? [item.model] : []),
    ...(dice.chance(0.5) ? [`size ${size}`] : []),
  ])
  if (dice.chance(0.6)) parts.unshift(dice.pick(fillers))
  if (dice.chance(0.4)) parts.push(dice.pick(tails))
  let title = parts.join(dice.pick([' ', ' ', ', ', ' | ']))
  for (const [word, synonym] of words) if (dice.chance(0.5)) title = title.replace(word, synonym)
  const left = how.vague ? 0.7 : 0.9
  return {
    title,
    ...(branded && dice.chance(left) ? { brand: item.brand } : {}),
    ...(dice.chance(left) ? { size } : {}),
    ...(dice.chance(left) ? { colors: [item.color] } : {}),
    price_minor: item.price_minor,
    currency: 'USD',
    photos: [photoHash(takePicture(dice, item.scene, how.cut ?? false))],
  }
}

/** Renders a picture of a scene as a platform stores it: with another size, light and noise, perhaps cropped. */
function takePicture(dice: Dice, scene: number, cut: boolean): GrayPicture {
  const share = cut ? 0.78 + dice.next() * 0.17 : 1
  const [x, y] = cut ? [dice.next() * (1 - share), dice.next() * (1 - share)] : [0, 0]
  const blobs = blobsOf(scene)
  const size = 96 + dice.below(64)
  const [light, contrast] = [dice.between(-15, 15), dice.between(0.85, 1.15)]
  const pixels = new Uint8Array(size * size)
  for (let row = 0; row < size; row++) {
    for (let column = 0; column < size; column++) {
      const gray = brightness(blobs, x + (column / size) * share, y + (row / size) * share)
      const seen = (gray - 128) * contrast + 128 + light + dice.between(-6, 6)
      pixels[row * size + column] = Math.max(0, Math.min(255, Math.round(seen)))
    }
  }
  return { width: size, height: size, pixels }
}

interface Blob {
  x: number
  y: number
  width: number
  height: number
  gray: number
}

function blobsOf(scene: number): Blob[] {
  const dice = createDice(scene)
  return Array.from({ length: 14 }, () => ({
    x: dice.next(),
    y: dice.next(),
    width: dice.between(0.05, 0.35),
    height: dice.between(0.05, 0.35),
    gray: dice.between(-110, 110),
  }))
}

function brightness(blobs: readonly Blob[], x: number, y: number): number {
  let gray = 128
  for (const blob of blobs) {
    const distance = ((x - blob.x) / blob.width) ** 2 + ((y - blob.y) / blob.height) ** 2
    if (distance < 1) gray += blob.gray * (1 - distance)
  }
  return gray
}

/** Creates random numbers that a seed determines (mulberry32). */
function createDice(seed: number) {
  let state = seed >>> 0
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const below = (limit: number) => Math.floor(next() * limit)
  const pick = <Value>(values: readonly Value[]) => values[below(values.length)]!
  return {
    next,
    below,
    pick,
    between: (from: number, to: number) => from + next() * (to - from),
    chance: (share: number) => next() < share,
    other: (values: readonly string[], than: string) => pick(values.filter((value) => value !== than)),
    shuffle: <Value>(values: readonly Value[]) =>
      values
        .map((value) => ({ value, place: next() }))
        .sort((a, b) => a.place - b.place)
        .map(({ value }) => value),
  }
}
