import 'fake-indexeddb/auto'
import { Dexie } from 'dexie'
import { afterEach, describe, expect, it } from 'vitest'
import type { Listing } from '#shared/listing.ts'
import { contentHash } from './content-hash.ts'
import { type Cache, openCache } from './database.ts'

const name = 'cache-test'
let cache: Cache | null = null
afterEach(async () => {
  cache?.close()
  cache = null
  await Dexie.delete(name)
})

const listing = (n: number): Listing => ({
  listing_id: String(n),
  url: `https://x.test/${n}`,
  title: `Thing ${n}`,
  description: 'About it',
  price_minor: n,
  currency: 'USD',
  state: 'available',
  images: [],
})

async function fill(into: Cache, count: number): Promise<void> {
  const row = (n: number) => ({
    key: `poshmark:${n}`,
    platform: 'poshmark' as const,
    listing_id: String(n),
    shop: 'seller',
    listing: listing(n),
    content_hash: `hash-${n}`,
    sent_hash: null,
    read_at: n,
    sources: null,
  })
  await into.listings.bulkPut(Array.from({ length: count }, (_, n) => row(n)))
}

describe('the cache', () => {
  it('left behind by a newer version, it is made anew and works', async () => {
    const newer = new Dexie(name)
    newer.version(99).stores({ listings: 'key', other: 'id' })
    await newer.open()
    newer.close()
    cache = await openCache(name)
    await fill(cache, 3)
    expect(await cache.listings.count()).toBe(3)
  })

  it('of an earlier version, it keeps what it holds', async () => {
    const earlier = new Dexie(name)
    earlier.version(1).stores({
      listings: 'key, [platform+shop]',
      runs: 'id, [platform+username], state, updated_at',
      outbox: '++seq, &batch_id, run_id, [run_id+sealed]',
      seen: 'key, run_id',
    })
    await earlier.open()
    await earlier.table('listings').bulkPut([{ key: 'poshmark:1', listing: listing(1) }])
    earlier.close()
    cache = await openCache(name)
    expect(await cache.listings.get('poshmark:1')).toMatchObject({ listing: { title: 'Thing 1' } })
    expect(await cache.listings.where('listing.url').equals('https://x.test/1').count()).toBe(1)
    expect(await cache.sales.count()).toBe(0)
  })

  it('holds 10,000 listings, and finds one by its address among them', async () => {
    cache = await openCache(name)
    await fill(cache, 10_000)
    expect(await cache.listings.where({ platform: 'poshmark', shop: 'seller' }).count()).toBe(10_000)
    expect((await cache.listings.where('listing.url').equals('https://x.test/7777').first())?.listing_id).toBe('7777')
  })

  it('tells a listing that says the same, in whatever order, from one that does not', async () => {
    const one = listing(1)
    const turned = Object.fromEntries(Object.entries(one).reverse()) as Listing
    expect(await contentHash({ ...turned, brand: undefined } as never)).toBe(await contentHash(one))
    const changes: Partial<Listing>[] = [{ price_minor: 2 }, { title: 'x' }, { images: ['x'] }, { brand: 'x' }]
    const hashes = await Promise.all(changes.map((change) => contentHash({ ...one, ...change })))
    expect(new Set([await contentHash(one), ...hashes]).size).toBe(5)
  })
})
