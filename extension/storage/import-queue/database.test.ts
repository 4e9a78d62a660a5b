import 'fake-indexeddb/auto'
import { Dexie } from 'dexie'
import { afterEach, describe, expect, it } from 'vitest'
import type { Listing } from '#shared/listing.ts'
import { contentHash } from './content-hash.ts'
import { type ImportQueue, openImportQueue } from './database.ts'

const name = 'import-queue-test'
let importQueue: ImportQueue | null = null
afterEach(async () => {
  importQueue?.close()
  importQueue = null
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

async function fill(into: ImportQueue, count: number): Promise<void> {
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

describe('the import queue', () => {
  it('is recreated if a newer version made it', async () => {
    const newer = new Dexie(name)
    newer.version(99).stores({ listings: 'key', other: 'id' })
    await newer.open()
    newer.close()
    importQueue = await openImportQueue(name)
    await fill(importQueue, 3)
    expect(await importQueue.listings.count()).toBe(3)
  })

  it('finds one of 10,000 listings by its URL', async () => {
    importQueue = await openImportQueue(name)
    await fill(importQueue, 10_000)
    expect(await importQueue.listings.where({ platform: 'poshmark', shop: 'seller' }).count()).toBe(10_000)
    expect((await importQueue.listings.where('listing.url').equals('https://x.test/7777').first())?.listing_id).toBe(
      '7777',
    )
  })

  it('hashes equal listings alike in any member order', async () => {
    const one = listing(1)
    const turned = Object.fromEntries(Object.entries(one).reverse()) as Listing
    expect(await contentHash({ ...turned, brand: undefined } as never)).toBe(await contentHash(one))
    const changes: Partial<Listing>[] = [{ price_minor: 2 }, { title: 'x' }, { images: ['x'] }, { brand: 'x' }]
    const hashes = await Promise.all(changes.map((change) => contentHash({ ...one, ...change })))
    expect(new Set([await contentHash(one), ...hashes]).size).toBe(5)
  })
})
