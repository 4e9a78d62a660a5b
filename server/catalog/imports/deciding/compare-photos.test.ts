import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { buildListing } from '#e2e/harness/listing.ts'
import { until } from '#e2e/harness/until.ts'
import type { Listing } from '#shared/listing.ts'
import type { PhotoHash } from '../matching/photo-hash.ts'
import { type ImportHarness, type Seller, startImportHarness } from '../testing/harness.ts'
import { comparePhotos } from './compare-photos.ts'

let harness: ImportHarness
let seller: Seller
let onEtsy: Seller
/** Hashes by address; null for a picture that is gone. Others are at a host that fails at the moment. */
const photos = new Map<string, PhotoHash | null>()
/** Imports have used up their time for pictures, so only patient reading gets any. */
let waits = true

beforeAll(async () => {
  harness = await startImportHarness()
  harness.server.services.readPhoto = async (url, signal, _user_id, isPatient) => {
    if (waits && !isPatient) return undefined
    if (url.includes('/hangs/')) {
      return new Promise((_, reject) => signal!.addEventListener('abort', () => reject(signal!.reason)))
    }
    return photos.get(url)
  }
})
afterAll(() => harness?.close())
beforeEach(async () => {
  harness.reset()
  photos.clear()
  waits = true
  // Conflicts of earlier tests wait for hosts of their own.
  await db().none("update import_item set match_photos = null where match_photos = 'comparing'")
  seller = await harness.seller()
  onEtsy = await harness.etsyOf(seller)
})

const db = () => harness.server.services.db
const conflicts = '/api/v1/marketplace/import/conflicts/'
const list = async (query = '') => (await seller.call('GET', `${conflicts}?page_size=100${query}`)).body
const resolve = (body: object) => seller.call('POST', `${conflicts}resolve/`, body)
const compare = (signal?: AbortSignal) => comparePhotos(harness.server.services, signal)
/** Compares what is due, and lists the conflicts afterwards. */
async function compared() {
  while ((await compare()) > 0) {}
  return list()
}
const makeDue = (tries = 0) =>
  db().none(
    "update import_item set photos_due_at = now(), photo_tries = $1 where match_photos = 'comparing' and status = 'conflict'",
    [tries],
  )

const things = ['Pendleton wool coat', 'Levi denim jacket', 'Frye leather boots', 'Hermes silk scarf']
const hashOf = (n: number): PhotoHash => ({ whole: BigInt.asUintN(64, 0x9e3779b97f4a7c15n * BigInt(n + 1)), cuts: [] })

/** Puts the same things on both marketplaces, with photos at addresses of each. */
function showBoth(titles: readonly string[], folder = 'photos'): void {
  const shopOf = (host: string, path: string) =>
    titles.map((title, n): Listing => {
      const images = [`https://${host}/${folder}/${n}.jpg`]
      photos.set(images[0]!, hashOf(n))
      const listing = buildListing({ title, size: 'M', images, price_minor: 4_000 + n })
      return { ...listing, url: `https://${path}/${listing.listing_id}` }
    })
  harness.ebay.shop = shopOf('ebay.example', 'www.ebay.com/itm')
  harness.etsy.shop = shopOf('etsy.example', 'www.etsy.com/listing')
}

async function importBoth(): Promise<void> {
  await seller.import()
  await onEtsy.import()
}

describe('photos that imports had no time for', () => {
  it('are compared afterwards, and their matches become certain', async () => {
    showBoth(things)
    harness.ebay.pageSize = 2
    harness.etsy.pageSize = 2
    await Promise.all([seller.import(), onEtsy.import()])
    const { count, groups, results } = await compared()
    expect({ count, groups }).toEqual({ count: 4, groups: { certain: 4, likely: 0, unsure: 0, other: 0 } })
    for (const { item, existing } of results) {
      expect(item.match).toMatchObject({ certainty: 'certain', photos: null })
      expect(item.match.reasons).toContain('same_photo')
      expect(item.conflict_details).toContain(existing.uid)
    }
  })

  it('count as left until then, in no group that is decided at once', async () => {
    showBoth(things)
    await importBoth()
    expect(await list()).toMatchObject({
      ...{ count: 4, comparing: 4, groups: { certain: 0, likely: 0, unsure: 0, other: 0 } },
      ...{ linkable: { certain: 0, likely: 0, unsure: 0 } },
      results: Array(4).fill({ item: { match: { photos: 'comparing' } } }),
    })
    for (const certainty of ['likely', 'unsure']) {
      expect(await list(`&certainty=${certainty}`)).toMatchObject({ count: 0, results: [] })
      expect((await resolve({ resolution: 'skip', certainty })).body.results).toEqual([])
    }
  })

  it('say which of two similar items it is', async () => {
    showBoth(['Pendleton wool coat', 'Pendleton wool coat green'])
    harness.etsy.shop = harness.etsy.shop.slice(1)
    await importBoth()
    const { results } = await compared()
    expect(results).toMatchObject([
      { existing: { title: 'Pendleton wool coat green' }, item: { match: { certainty: 'certain' } } },
    ])
  })

  it('leave what the seller has decided meanwhile', async () => {
    showBoth(things)
    await importBoth()
    const [first, second] = (await list()).results
    const ref = ({ job_uid, item }: { job_uid: string; item: { id: string } }) => ({ job_uid, item_uid: item.id })
    await resolve({ resolution: 'skip', items: [ref(first)] })
    await resolve({ resolution: 'link_existing', items: [ref(second)] })
    const decided = async () =>
      (await onEtsy.items(first.job_uid)).filter(({ id }) => [first.item.id, second.item.id].includes(id))
    const before = await decided()
    expect((await compared()).groups).toMatchObject({ certain: 2 })
    expect(await decided()).toEqual(before)
  })

  it('ask nothing that the seller skipped in an earlier import', async () => {
    showBoth(things.slice(0, 1))
    await importBoth()
    const { groups, results } = await compared()
    expect(groups).toMatchObject({ certain: 1 })
    await resolve({ resolution: 'skip', items: [{ job_uid: results[0].job_uid, item_uid: results[0].item.id }] })
    await db().none('delete from photo_hash where user_id = $1', [seller.account.user_id])
    const job = await onEtsy.import()
    expect((await compared()).count).toBe(0)
    expect(await seller.job(job.id)).toMatchObject({ items_skipped: 1, items_conflicted: 0 })
  })
})

describe('a photo that cannot be read', () => {
  it('leaves the match to words, and is told', async () => {
    showBoth(things.slice(0, 1))
    photos.set('https://etsy.example/photos/0.jpg', null)
    await importBoth()
    expect(await compared()).toMatchObject({
      groups: { likely: 1 },
      results: [{ item: { match: { certainty: 'likely', photos: 'unread' } } }],
    })
  })

  it('is tried again while its host fails, but not for ever', async () => {
    showBoth(things.slice(0, 1))
    const known = new Map(photos)
    photos.clear()
    await importBoth()
    const minutes = []
    for (let tries = 0; tries < 3; tries++) {
      await makeDue(tries)
      expect((await compared()).comparing).toBe(1)
      const { wait } = await db().one(
        `select round(extract(epoch from photos_due_at - now()) / 60)::integer as wait
         from import_item where user_id = $1 and status = 'conflict'`,
        [seller.account.user_id],
      )
      minutes.push(wait)
    }
    await makeDue(3)
    expect(minutes).toEqual([1, 4, 9])
    expect((await compared()).results).toMatchObject([{ item: { match: { photos: 'unread' } } }])
    // The next import begins anew.
    await db().none("update photo_hash set read_at = now() - interval '2 days'")
    for (const [url, hash] of known) photos.set(url, hash)
    await onEtsy.import()
    expect((await compared()).groups).toMatchObject({ certain: 1 })
  })

  it('keeps the photos of another account waiting for nothing', async () => {
    for (let account = 0; account < 3; account++) {
      if (account > 0) {
        seller = await harness.seller()
        onEtsy = await harness.etsyOf(seller)
      }
      showBoth(things.slice(0, 2), 'hangs')
      await importBoth()
    }
    seller = await harness.seller()
    onEtsy = await harness.etsyOf(seller)
    showBoth(things)
    await importBoth()
    const stop = new AbortController()
    const comparing = compare(stop.signal)
    expect(await until(list, (page) => page.comparing === 0)).toMatchObject({ groups: { certain: 4 } })
    stop.abort(new Error('enough'))
    await expect(comparing).rejects.toThrow('enough')
  })
})

describe('a decision about many', () => {
  it('takes only those that had the certainty when they were listed', async () => {
    showBoth(things)
    const known = new Map(photos)
    for (const url of photos.keys()) if (!url.endsWith('/0.jpg')) photos.delete(url)
    await importBoth()
    const { as_of, groups } = await compared()
    expect(groups).toMatchObject({ certain: 1 })
    for (const [url, hash] of known) photos.set(url, hash)
    await makeDue()
    expect((await compared()).groups).toMatchObject({ certain: 4 })
    const { body } = await resolve({ resolution: 'link_existing', certainty: 'certain', as_of })
    expect(body.results).toHaveLength(1)
  })

  it('links the item that the seller saw', async () => {
    showBoth(['Pendleton wool coat', 'Pendleton wool coat green'])
    harness.etsy.shop = harness.etsy.shop.slice(1)
    await importBoth()
    const { results } = await compared()
    const seen = (await seller.inventory()).find((item) => item.record.title === 'Pendleton wool coat')
    expect(results[0].existing.uid).not.toBe(seen.uid)
    const ref = { job_uid: results[0].job_uid, item_uid: results[0].item.id, inventory_item_uid: seen.uid }
    expect((await resolve({ resolution: 'link_existing', items: [ref] })).body.results).toMatchObject([
      { outcome: 'resolved' },
    ])
    const linked = (await seller.inventory()).find((item) => item.record.channel_listings.length === 2)
    expect(linked.uid).toBe(seen.uid)
  })

  it('counts as linkable what a press would link', async () => {
    const shop = ['ebay.example', 'etsy.example'].map((host) => [`https://${host}/1.jpg`])
    photos.set(shop[0]![0]!, hashOf(1)).set(shop[1]![0]!, hashOf(1))
    harness.ebay.shop = [buildListing({ title: things[0]!, size: 'M', images: shop[0]!, price_minor: 9_000 })]
    harness.etsy.shop = [9_100, 9_000, 9_100].map((price_minor) => {
      const listing = buildListing({ title: things[0]!, size: 'M', images: shop[1]!, price_minor })
      return { ...listing, url: `https://www.etsy.com/listing/${listing.listing_id}` }
    })
    await importBoth()
    expect(await compared()).toMatchObject({ groups: { certain: 3 }, linkable: { certain: 1 } })
    const press = () => resolve({ resolution: 'link_existing', certainty: 'certain' })
    const linked = async () =>
      (await press()).body.results.filter(({ outcome }: { outcome: string }) => outcome === 'resolved').length
    expect(await linked()).toBe(1)
    expect(await list()).toMatchObject({ groups: { certain: 2 }, linkable: { certain: 0 } })
    expect(await linked()).toBe(0)
  })
})
