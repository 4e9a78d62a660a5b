import { describe, expect, it } from 'vitest'
import {
  type Anatomy,
  type Mutation,
  type MutationKind,
  mutationsFor,
  newWordsFor,
  oneOf,
  type Random,
  seededRandom,
} from '#extension/testing/mutate.ts'
import { type ReadShop, readShop, stopReason } from '#extension/testing/read-shop.ts'
import { requiredFields, type ShopFixture, shopFixtures } from '#extension/testing/shop-fixtures.ts'
import type { Listing } from '#shared/listing.ts'
import type { FieldSource, PageRequest } from './port.ts'

/** Mutated sites per platform. Each run mutates at least one page. Set MUTATIONS=5000 for a longer measurement. */
const runs = Number(process.env.MUTATIONS ?? 300)
/** Seed of the first run. The same seed gives the same sites. */
const firstSeed = Number(process.env.MUTATION_SEED ?? 0)

const anatomies: Record<keyof typeof shopFixtures, Anatomy> = {
  poshmark: {
    keys: [
      'title',
      'description',
      'price_amount',
      'val',
      'currency_code',
      'inventory',
      'cover_shot',
      'pictures',
      'url_large',
    ],
    wrappers: ['data', 'more', '$_closet', 'listingsPostData', 'closetUserInfo'],
  },
  mercari: {
    keys: ['name', 'description', 'price', 'photos', 'imageUrl', 'seller'],
    wrappers: ['data', 'userItems', 'items', 'hasMore', 'serverState', 'pageProps'],
  },
  depop: {
    keys: [
      'description',
      'pricing',
      'final_price_key',
      'price_breakdown',
      'amount',
      'currency',
      'pictures',
      'formats',
      'url',
    ],
    wrappers: ['objects', 'page_info', 'has_more'],
  },
}

interface Tally {
  pages: number
  fields: number
  right: number
  marked: number
  wrong: string[]
  silent: string[]
}

describe.each(Object.keys(shopFixtures) as (keyof typeof shopFixtures)[])('mutated pages of %s', (slug) => {
  it(`reads 95% of fields right on ${runs} mutated sites`, () => {
    const tally: Tally = { pages: 0, fields: 0, right: 0, marked: 0, wrong: [], silent: [] }
    const byKind = new Map<string, { fields: number; right: number }>()
    for (let run = 0; run < runs; run++) {
      const { kind, scope } = mutateAndRead(slug, run, tally, byKind)
      expect([kind, scope]).not.toContain(undefined)
    }
    const share = (part: number, whole: number) => `${((100 * part) / whole).toFixed(1)} %`
    const kinds = [...byKind]
      .map(([kind, { right, fields }]) => `  ${kind.padEnd(28)} ${share(right, fields).padStart(8)} of ${fields}`)
      .sort()
    process.stdout.write(
      `${slug}: ${tally.pages} mutated pages, ${tally.fields} required fields, ${share(tally.right, tally.fields)} right ` +
        `(${tally.marked} by a marked fallback), ${tally.wrong.length} wrong unmarked\n${kinds.join('\n')}\n`,
    )
    expect(tally.wrong).toEqual([])
    expect(tally.silent).toEqual([])
    expect(tally.pages).toBeGreaterThanOrEqual(500)
    expect(tally.right / tally.fields).toBeGreaterThanOrEqual(0.95)
  })
})

describe.each(Object.keys(shopFixtures) as (keyof typeof shopFixtures)[])('%s with unknown listing states', (slug) => {
  it('reports ambiguous values with their field', () => {
    const fixture = shopFixtures[slug]()
    const mutation = newWordsFor('status')
    const read = readShop(fixture.platform, fixture.shop, (request) => {
      const text = fixture.answer(request)
      return typeof text === 'string' ? mutation(text, seededRandom(7)) : text
    })
    expect(read.listings).toEqual([])
    expect(read.failures.map((failure) => failure.field)).toEqual(fixture.truth.map(() => 'state'))
  })
})

/** Mutates one kind of page (usually), two, or all of them, and reads the resulting shop. */
function mutateAndRead(
  slug: keyof typeof shopFixtures,
  run: number,
  tally: Tally,
  byKind: Map<string, { fields: number; right: number }>,
): { kind: MutationKind; scope: string } {
  const random = seededRandom((firstSeed + run) * 7_919 + slug.length)
  const fixture = shopFixtures[slug]()
  const mutations = mutationsFor(anatomies[slug])
  const layers = [...new Set(readShop(fixture.platform, fixture.shop, fixture.answer).requests.map(fixture.layerOf))]
  const chance = random()
  const scope = chance < 0.7 ? 'one page' : chance < 0.9 ? 'two pages' : 'whole site'
  const chosen = scope === 'whole site' ? null : pickSome(layers, scope === 'one page' ? 1 : 2, random)

  // Skip mutations that change nothing on these pages.
  for (let attempt = 0; attempt < 100; attempt++) {
    const kind = oneOf(Object.keys(mutations) as MutationKind[], random)
    const other = oneOf(Object.keys(mutations) as MutationKind[], random)
    const first = oneOf(mutations[kind], random)
    const second = oneOf(mutations[other], random)
    // Apply two mutations on every fourth site.
    const mutation: Mutation = run % 4 === 0 ? (text, given) => second(first(text, given), given) : first
    const seed = Math.floor(random() * 2 ** 31)
    let touched = 0
    const answer = (request: PageRequest) => {
      const text = fixture.answer(request)
      if (typeof text !== 'string' || (chosen && !chosen.includes(fixture.layerOf(request)))) return text
      const mutated = mutation(text, seededRandom(seed))
      if (mutated !== text) touched++
      return mutated
    }
    let read: ReadShop | null = null
    const reason = stopReason(() => {
      read = readShop(fixture.platform, fixture.shop, answer)
    })
    if (touched === 0) continue
    const what = `run ${run}: ${kind}, ${scope}${chosen ? ` (${chosen.join(', ')})` : ''}`
    tally.pages += touched
    classify(fixture, read, reason, what, tally, byKind, `${kind}, ${scope}`)
    return { kind, scope }
  }
  throw new Error(`No page of ${slug} could be mutated in run ${run}.`)
}

function classify(
  fixture: ShopFixture,
  read: ReadShop | null,
  reason: string | null,
  what: string,
  tally: Tally,
  byKind: Map<string, { fields: number; right: number }>,
  group: string,
): void {
  const sum = byKind.get(group) ?? { fields: 0, right: 0 }
  byKind.set(group, sum)
  const listings: Listing[] = read?.listings ?? []
  for (const truth of fixture.truth) {
    const listing = listings.find((one) => one.listing_id === truth.listing_id)
    for (const field of requiredFields) {
      tally.fields++
      sum.fields++
      if (!listing) continue
      const source = read?.sources[truth.listing_id]?.[field]
      if (JSON.stringify(listing[field]) === JSON.stringify(truth[field])) {
        tally.right++
        sum.right++
        if (isMarked(source)) tally.marked++
      } else if (!isMarked(source)) {
        tally.wrong.push(`${what}: ${truth.listing_id} ${field} is ${JSON.stringify(listing[field])}`)
      }
    }
  }
  const strangers = listings.filter((one) => !fixture.truth.some((truth) => truth.listing_id === one.listing_id))
  for (const stranger of strangers) tally.wrong.push(`${what}: ${stranger.listing_id} is nobody's`)
  const lost = fixture.truth.length - new Set(listings.map((one) => one.listing_id)).size
  if (lost > 0 && reason === null && (read?.failures.length ?? 0) === 0) tally.silent.push(`${what}: ${lost} lost`)
}

/** Returns true for a source that marks a value as less exact or missing. */
function isMarked(source: FieldSource | undefined): boolean {
  return source === 'elements' || source === 'lesser'
}

function pickSome<T>(some: readonly T[], count: number, random: Random): T[] {
  const left = [...some]
  return Array.from(
    { length: Math.min(count, left.length) },
    () => left.splice(Math.floor(random() * left.length), 1)[0]!,
  )
}
