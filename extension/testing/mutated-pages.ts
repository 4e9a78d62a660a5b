import { describe, expect, it } from 'vitest'
import { countFields, fieldFailures } from '#extension/background/scraping/field-tally.ts'
import { depop } from '#extension/platforms/depop/index.ts'
import { mercari } from '#extension/platforms/mercari/index.ts'
import type { FieldSource, PageRequest, ScrapePlatform, Shop } from '#extension/platforms/port.ts'
import { poshmark } from '#extension/platforms/poshmark/index.ts'
import { isJobFailure } from '#shared/import-issues.ts'
import type { Listing, ListingFailure } from '#shared/listing.ts'
import { changeMembers, keysIn, type Random, seededRandom } from './mutate.ts'
import { type GivenAnswer, type ReadShop, readShop, stopReason } from './read-shop.ts'

/** Mutated sites per source. Set MUTATIONS=700 for a longer measurement. */
const runs = Number(process.env.MUTATIONS ?? 60)
/** Seed of the first run. The same seed gives the same sites. */
const firstSeed = Number(process.env.MUTATION_SEED ?? 0)

/** A shop to read: generated, or from captures. */
export interface Source {
  name: string
  platform: ScrapePlatform
  shop: Shop
  begin: string
  answer: (request: PageRequest) => GivenAnswer
  layerOf: (request: PageRequest) => string
}

const outcomes = ['right', 'refused loudly', 'marked', 'SILENT LOSS', 'SILENT WRONG VALUE'] as const
type Outcome = (typeof outcomes)[number]

/** Tests that no mutation of the sources' pages loses or changes a value silently. */
export function describeMutatedPages(sources: Source[]): void {
  describe.each(sources)('mutated pages of $name', (source) => {
    it(`loses no data silently on ${runs} mutated sites`, () => {
      const truth = read(source, source.answer)
      expect(truth.read?.listings.length).toBeGreaterThan(0)
      expect(truth.failures).toEqual([])
      const tally = new Map<Outcome, string[]>(outcomes.map((outcome) => [outcome, []]))
      for (let run = 0; run < runs; run++) {
        const { what, result } = mutateAndRead(source, truth.read!, firstSeed + run)
        const { outcome, detail } = classify(truth.read!, result)
        tally.get(outcome)!.push(`${what}: ${detail}`)
      }
      const counts = outcomes.map((outcome) => `${tally.get(outcome)!.length} ${outcome}`)
      process.stdout.write(`${source.name}: ${runs} mutations, ${counts.join(', ')}\n`)
      expect([tally.get('SILENT LOSS'), tally.get('SILENT WRONG VALUE')]).toEqual([[], []])
    })
  })
}

interface Result {
  read: ReadShop | null
  stopped: string | null
  failures: ListingFailure[]
}

/** Reads a source to the end, with the final report of a session. `before`: the shop's earlier listings. */
function read(source: Source, answer: Source['answer'], before: readonly Listing[] = []): Result {
  let found: ReadShop | null = null
  const stopped = stopReason(() => {
    found = readShop(source.platform, source.shop, answer, 400, source.begin)
  })
  const shop = found as ReadShop | null
  if (!shop) return { read: null, stopped, failures: [] }
  const earlier = new Map(before.map((listing) => [listing.listing_id, listing]))
  const tally = countFields(
    {},
    shop.listings.map((listing) => ({
      listing,
      sources: shop.sources[listing.listing_id] ?? null,
      before: earlier.get(listing.listing_id),
    })),
  )
  const changed = { platform: source.platform.slug, what: 'page' } as const
  return { read: shop, stopped, failures: [...shop.failures, ...fieldFailures(tally, shop.listings.length, changed)] }
}

type Mutation = { name: string; apply: (text: string, random: Random) => string }

/** Returns mutations of every member with this key in a page's JSON. */
function mutations(key: string, salt: number): Mutation[] {
  const all = (name: string, change: (value: unknown) => unknown): Mutation => ({
    name: `${key} ${name}`,
    apply: (text) => changeMembers(text, key, change),
  })
  const isText = (value: unknown) => typeof value === 'string'
  // Scale only prices. Any other lone number is indistinguishable from a true value.
  const isPrice = /price|amount|^val$/i.test(key)
  const isCount = /total|count$/i.test(key)
  return [
    { name: `${key} renamed`, apply: (text) => changeMembers(text, key, (value) => value, `${key}${salt}x`) },
    { name: `${key} dropped`, apply: (text) => changeMembers(text, key, () => undefined) },
    all('wrapped', (value) => ({ value })),
    all('in a list', (value) => [value]),
    all('null', () => null),
    all('emptied', (value) =>
      Array.isArray(value) ? [] : isText(value) ? '' : typeof value === 'object' ? {} : value,
    ),
    all('a text for a number', (value) => (typeof value === 'number' ? `${value} ` : value)),
    all('a number for a text', (value) =>
      isText(value) && value !== '' && Number.isFinite(Number(value)) ? Number(value) : value,
    ),
    all('a hundredfold', (value) => (isPrice ? scaled(value, 100) : value)),
    all('a hundredth', (value) => (isPrice ? scaled(value, 0.01) : value)),
    all('negated', (value) => (typeof value === 'boolean' ? !value : value)),
    all('in another order', (value) =>
      value && typeof value === 'object' && !Array.isArray(value)
        ? Object.fromEntries(Object.entries(value).reverse())
        : value,
    ),
    all('cut to half', (value) => (Array.isArray(value) ? value.slice(0, Math.floor(value.length / 2)) : value)),
    all('with each entry twice', (value) =>
      Array.isArray(value) && value.every((one) => one?.id !== undefined) ? value.flatMap((one) => [one, one]) : value,
    ),
    all('counted otherwise', (value) => (isCount && typeof value === 'number' ? value + 3 : value)),
    { name: 'cut off', apply: (text, random) => text.slice(0, Math.floor(text.length * (0.1 + 0.8 * random()))) },
    { name: 'of other creators', apply: (text, random) => ofOthers(text, random) },
    { name: 'beside another price', apply: (text) => swapPrices(text) },
  ]
}

/** Scales numbers and decimal texts, such as dollars to cents. */
function scaled(value: unknown, by: number): unknown {
  if (typeof value === 'number') return Math.round(value * by)
  return typeof value === 'string' && /^\d+\.\d+$/.test(value) ? (Number(value) * by).toFixed(2) : value
}

/** Assigns one entry, or every entry, of a list to another seller. */
function ofOthers(text: string, random: Random): string {
  let left = random() < 0.7 ? 1 : Number.POSITIVE_INFINITY
  const other = (value: unknown) => (left-- > 0 ? (typeof value === 'number' ? 5 : 'somebody_else') : value)
  for (const key of ['creator_username', 'user_id', 'sellerId']) text = changeMembers(text, key, other)
  left = left > 0 ? left : 0
  return changeMembers(text, 'seller', (value) =>
    left-- > 0 && value ? { ...(value as object), id: 5, __ref: undefined } : value,
  )
}

/** Swaps the original price and the price. */
function swapPrices(text: string): string {
  return text
    .replace(/"price"(:\d+)/g, '"was"$1')
    .replace(/"originalPrice"/g, '"price"')
    .replace(/"price_amount"/g, '"was_amount"')
    .replace(/"original_price_amount"/g, '"price_amount"')
    .replace(/"is_reduced":(true|false)/g, (_, is) => `"is_reduced":${is === 'true' ? 'false' : 'true'}`)
}

function mutateAndRead(source: Source, before: ReadShop, seed: number): { what: string; result: Result } {
  const random = seededRandom(seed * 7_919 + source.name.length * 31)
  const pick = <T>(some: readonly T[]) => some[Math.floor(random() * some.length)]!
  const layers = [...new Set(before.requests.map(source.layerOf))]
  for (let attempt = 0; attempt < 200; attempt++) {
    const layer = random() < 0.85 ? pick(layers) : null
    const asked = before.requests.filter((request) => layer === null || source.layerOf(request) === layer)
    const sample = source.answer(pick(asked))
    const keys = typeof sample === 'string' ? keysIn(sample) : []
    if (keys.length === 0) continue
    const mutation = pick(mutations(pick(keys), Math.floor(random() * 90) + 10))
    // Mutate all pages of a kind, or one of them.
    const only = random() < 0.2 ? pick(asked).url : null
    const mutationSeed = Math.floor(random() * 2 ** 31)
    let touched = 0
    const answer = (request: PageRequest): GivenAnswer => {
      const text = source.answer(request)
      const isTarget = (layer === null || source.layerOf(request) === layer) && (only === null || only === request.url)
      if (typeof text !== 'string' || !isTarget) return text
      const mutated = mutation.apply(text, seededRandom(mutationSeed))
      if (mutated !== text) touched++
      return mutated
    }
    const result = read(source, answer, before.listings)
    if (touched > 0) return { what: `${seed} ${layer ?? 'everything'}: ${mutation.name}${only ? ' once' : ''}`, result }
  }
  throw new Error(`No page of ${source.name} could be mutated with ${seed}.`)
}

/** Classifies the result of a mutated site against the unmutated shop. */
function classify(truth: ReadShop, { read, stopped, failures }: Result): { outcome: Outcome; detail: string } {
  if (!read) return { outcome: 'refused loudly', detail: stopped ?? '' }
  const found = new Map(read.listings.map((listing) => [listing.listing_id, listing]))
  const reported = new Set(failures.map(({ listing_id }) => listing_id))
  const isLoud = failures.some(
    ({ listing_id, field }) => isJobFailure(listing_id) || field === 'listings' || field === 'listing_id',
  )
  let outcome: Outcome = 'right'
  // One listing without its brand may be the seller's own edit.
  const edits = new Map<string, string>()
  const rise = (to: Outcome) => {
    if (outcomes.indexOf(to) > outcomes.indexOf(outcome)) outcome = to
  }
  for (const true_ of truth.listings) {
    const listing = found.get(true_.listing_id)
    if (listing && isRefusedLater(listing)) {
      rise('refused loudly')
      continue
    }
    if (!listing) {
      if (reported.has(true_.listing_id) || isLoud || read.left_out > 0) rise('refused loudly')
      else return { outcome: 'SILENT LOSS', detail: `${true_.listing_id} of ${truth.listings.length}` }
      continue
    }
    for (const field of Object.keys(true_) as (keyof Listing)[]) {
      if (JSON.stringify(listing[field]) === JSON.stringify(true_[field])) continue
      const detail = `${field} ${JSON.stringify(true_[field])} became ${JSON.stringify(listing[field])}`
      if (isMarked(read.sources[true_.listing_id]?.[field]) || saysField(failures, field)) rise('marked')
      else if (saysLess(listing[field], true_[field]) && !edits.has(field)) edits.set(field, detail)
      else return { outcome: 'SILENT WRONG VALUE', detail }
    }
  }
  const stranger = read.listings.find(({ listing_id }) => !truth.listings.some((one) => one.listing_id === listing_id))
  if (stranger) return { outcome: 'SILENT WRONG VALUE', detail: `${stranger.listing_id} is nobody's` }
  return { outcome, detail: '' }
}

/** Returns true for values that the server rejects with a specific error code. */
function isRefusedLater({ title, images, price_minor }: Listing): boolean {
  return title.trim() === '' || images.length === 0 || price_minor <= 0
}

function saysLess(now: Listing[keyof Listing], before: Listing[keyof Listing]): boolean {
  if (typeof before === 'string') return now === undefined || (typeof now === 'string' && before.startsWith(now))
  return now === undefined || (Array.isArray(now) && Array.isArray(before) && now.length < before.length)
}

function isMarked(source: FieldSource | undefined): boolean {
  return source === 'elements' || source === 'lesser' || source === 'absent' || source === 'unread'
}

function saysField(failures: readonly ListingFailure[], field: keyof Listing): boolean {
  const isPrice = field === 'price_minor'
  return failures.some(
    (one) => one.field === field || (isPrice && /prices are of another unit/.test(one.error_message)),
  )
}

/** Captures of each platform. */
export interface Material {
  /** Begins the sources' names. */
  kind: string
  /** The JSON of a page of Poshmark's posts, and whose they are. */
  posts: { text: string; username: string }
  /** Item pages of Mercari by the ids of their items. */
  items: Record<string, string>
  /** A list of Depop's products, and whose they are. */
  products: { text: string; username: string; id: string }
}

/** Returns shops that consist of these captures. */
export function capturedSources({ kind, posts, items, products }: Material): Source[] {
  const closet = { username: posts.username, url: `https://poshmark.com/closet/${posts.username}` }
  const page = JSON.parse(posts.text)
  const isPosts = ({ url }: PageRequest) => url.includes('/filtered?')
  const isSold = ({ url }: PageRequest) => decodeURIComponent(url).includes('sold_out')
  const nothing = JSON.stringify({ data: [], more: {} })
  const one = (url: string) => page.data.find(({ id }: { id: string }) => url.includes(id))
  const poshmarkSource: Source = {
    name: `${kind} of poshmark`,
    platform: poshmark,
    shop: closet,
    begin: poshmark.begin(closet, page.data.length),
    answer(request) {
      const post = one(request.url)
      if (post) return request.accept === 'json' ? JSON.stringify({ data: post }) : '<html></html>'
      if (isSold(request)) return isPosts(request) ? nothing : '<html></html>'
      if (!isPosts(request)) return '<html></html>'
      return JSON.stringify({ ...page, more: {} })
    },
    layerOf: (request) => (one(request.url) ? 'post' : isPosts(request) ? 'list' : 'closet page'),
  }
  const mercariSources = Object.entries(items).map(([id, text]): Source => {
    const seller = /"PublicUser:(\d+)"/.exec(text)![1]!
    const shop = { username: seller, url: `https://www.mercari.com/u/${seller}/`, id: seller }
    const begin = mercari.beginListings(shop, [
      { listing_id: id, url: `https://www.mercari.com/us/item/${id}/`, title: '' },
    ])
    return {
      name: `${kind} of mercari, ${id}`,
      platform: mercari,
      shop,
      begin,
      answer: () => text,
      layerOf: () => 'item page',
    }
  })
  const { username, id } = products
  const search = JSON.parse(products.text)
  const shop = { username, url: `https://www.depop.com/${username}/`, id }
  const depopSource: Source = {
    name: `${kind} of depop`,
    platform: depop,
    shop,
    begin: depop.begin(shop),
    answer({ url, accept }) {
      if (url.includes('/products/by-slug/')) return JSON.stringify(search.objects[0])
      if (accept === 'html') return '<html></html>'
      const objects = url.includes('/by-status/sold/') ? [] : search.objects
      return JSON.stringify({ meta: { total_count: objects.length }, page_info: { has_more: false }, objects })
    },
    layerOf: ({ url, accept }) => (url.includes('by-slug') ? 'product' : accept === 'html' ? 'page' : 'list'),
  }
  return [poshmarkSource, ...mercariSources, depopSource]
}
