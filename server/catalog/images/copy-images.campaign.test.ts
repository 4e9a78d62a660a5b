import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sharp from 'sharp'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { atEachBorder, type Borders, endAt, openBorders } from '#e2e/harness/campaigns/borders.ts'
import { buildListing } from '#e2e/harness/listing.ts'
import { messagesTo } from '#e2e/harness/outbox.ts'
import { until } from '#e2e/harness/until.ts'
import { deactivateAccount } from '#server/accounts/closing/deactivate.ts'
import { eraseAccount } from '#server/accounts/closing/erase-account.ts'
import { knownHashes, readMissing } from '#server/catalog/imports/matching/photo-hash-cache.ts'
import { type ImportHarness, type Seller, startImportHarness } from '#server/catalog/imports/testing/harness.ts'
import { createImageStore } from '#server/infra/image-store/index.ts'
import { createFetchPicture, type PictureOptions } from '#server/integrations/fetch-picture.ts'
import { withOwnPictures } from '#server/integrations/own-pictures.ts'
import type { Services } from '#server/services.ts'
import { type CopyTools, copyDueImages } from './copy-images.ts'
import { imagesJobs } from './jobs.ts'
import { type PictureHost, photoOf, startPictureHost } from './testing/picture-host.ts'
import { removeImageFiles } from './tidy-images.ts'

let folder: string
let harness: ImportHarness
let host: PictureHost
let seller: Seller
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'hapax-copies-'))
  harness = await startImportHarness({ environment: { IMAGES_DIR: folder } })
})
afterAll(async () => {
  await harness?.close()
  rmSync(folder, { recursive: true, force: true })
})
beforeEach(async () => {
  harness.reset()
  host = await startPictureHost()
  seller = await harness.seller()
  // Items of earlier tests wait for their own hosts.
  await db().none('update image_copy set due_at = null')
  return () => host.close()
})

const db = () => harness.server.services.db
const store = () => createImageStore(harness.server.services.config)

function tools(given: Partial<PictureOptions> = {}): CopyTools {
  const { services } = harness.server
  const fetchPicture = createFetchPicture({ platformOrigins: [host.url], ...given })
  return {
    services,
    store: store(),
    fetchPicture: withOwnPictures(services.config, fetchPicture),
  }
}
const copy = (given?: Partial<PictureOptions>) => copyDueImages(tools(given))
const makeDue = () => db().none('update image_copy set due_at = now() where due_at is not null')

/** Puts photos on the host, and imports one listing that shows them. Returns the item. */
async function importWith(photos: Record<string, Buffer | 'slow' | 'endless' | number>) {
  for (const [path, answer] of Object.entries(photos)) host.pictures.set(path, answer)
  const images = Object.keys(photos).map((path) => `${host.url}${path}`)
  harness.ebay.shop = [buildListing({ images })]
  await seller.import()
  return only()
}
async function only() {
  const [item] = await seller.inventory()
  return item as { uid: string; version: number; record: { images: string[] } }
}
const rowOf = (uid: string) =>
  db().one<{ attempts: number; failure: string | null; waits: number | null; copies: (string | null)[] }>(
    `select attempts, failure, copies, round(extract(epoch from due_at - now()))::int as waits
     from image_copy where item_uid = $1`,
    [uid],
  )
const updates = () =>
  db().map(
    "select seq from event where user_id = $1 and type = 'item.updated'",
    [seller.account.user_id],
    ({ seq }: { seq: number }) => seq,
  )
const statusOf = async (url: string) => (await fetch(url)).status
const imagesOf = () => db().any('select uid from image where user_id = $1', [seller.account.user_id])

describe('the photos of an imported item', () => {
  it('outlive the listing, in their order', async () => {
    await importWith({ '/1.jpg': await photoOf('#ff0000'), '/2.jpg': await photoOf('#0000ff') })
    expect(await copy()).toBe(1)
    host.pictures.clear()
    const { images } = (await only()).record
    const colors = []
    for (const url of images) {
      expect(url).toMatch(new RegExp(`^${harness.server.url}/images/img_`))
      const bytes = Buffer.from(await (await fetch(url)).arrayBuffer())
      const { exif } = await sharp(bytes).metadata()
      expect(exif).toBe(undefined)
      const { dominant } = await sharp(bytes).stats()
      colors.push(dominant.r > dominant.b ? 'red' : 'blue')
    }
    expect(colors).toEqual(['red', 'blue'])
    expect(await copy()).toBe(0)
    expect(host.requests.sort()).toEqual(['/1.jpg', '/2.jpg'])
  })

  it('change the item once, with one event', async () => {
    const { version } = await importWith({ '/1.jpg': await photoOf('#111111'), '/2.jpg': await photoOf('#222222') })
    expect(await updates()).toEqual([])
    await copy()
    expect((await only()).version).toBe(version + 1)
    expect(await updates()).toHaveLength(1)
  })

  it('are no difference for the next import', async () => {
    await importWith({ '/1.jpg': await photoOf('#333333') })
    await copy()
    const { id } = await seller.import()
    const [item] = await seller.items(id)
    expect(item).toMatchObject({ status: 'skipped', conflict_details: null })
  })

  it('are still known by their hash to an import that runs meanwhile', async () => {
    await importWith({ '/1.jpg': await photoOf('#3a3a3a') })
    const { user_id } = seller.account
    const hash = { whole: 7n, cuts: [1n, 2n] }
    await readMissing(db(), user_id, [`${host.url}/1.jpg`], async () => hash)
    await copy()
    const { images } = (await only()).record
    expect([...(await knownHashes(db(), user_id, images)).values()]).toEqual([hash])
  })

  it('are stored once if two listings show the same', async () => {
    const bytes = await photoOf('#444444')
    await importWith({ '/1.jpg': bytes, '/copy-of-1.jpg': bytes })
    await copy()
    const { images } = (await only()).record
    expect(images[0]).toBe(images[1])
    expect(await imagesOf()).toHaveLength(1)
  })

  it('go with the item, files included', async () => {
    const { uid } = await importWith({ '/1.jpg': await photoOf('#555555') })
    await copy()
    const [url] = (await only()).record.images
    await db().none("update channel_listing set state = 'removed' where item_uid = $1", [uid])
    expect((await seller.call('DELETE', `/api/v1/inventory/${uid}/`)).status).toBe(204)
    expect(await statusOf(url!)).toBe(404)
    await removeImageFiles(db(), store())
    expect(await store().get(/img_\w+/.exec(url!)![0], '800')).toBe(null)
  })

  it('are erased with the account, files included', async () => {
    await importWith({ '/1.jpg': await photoOf('#666666') })
    await copy()
    const uid = /img_\w+/.exec((await only()).record.images[0]!)![0]
    await deactivateAccount(harness.server.services, seller.account.user_id)
    await eraseAccount(harness.server.services, seller.account.user_id)
    await removeImageFiles(db(), store())
    expect(await store().get(uid, 'original')).toBe(null)
    expect(await db().any('select from image_copy where user_id = $1', [seller.account.user_id])).toEqual([])
  })

  it('keep what the seller changed meanwhile', async () => {
    const { uid } = await importWith({ '/1.jpg': await photoOf('#777777') })
    const chosen = [`${host.url}/chosen.jpg`]
    const slow = store()
    await copyDueImages({
      ...tools(),
      store: {
        ...slow,
        async put(...file) {
          await slow.put(...file)
          await seller.call('PATCH', `/api/v1/inventory/${uid}/`, { images: chosen })
        },
      },
    })
    expect((await only()).record.images).toEqual(chosen)
    host.pictures.set('/chosen.jpg', await photoOf('#787878'))
    await copy()
    expect(await statusOf((await only()).record.images[0]!)).toBe(200)
  })

  it('do not hinder an undo', async () => {
    harness.ebay.shop = [buildListing({ sku: 'S-1', images: [`${host.url}/1.jpg`] })]
    await seller.import()
    const onEtsy = await harness.etsyOf(seller)
    const listing = buildListing({ sku: 'S-1', images: [`${host.url}/2.jpg`] })
    harness.etsy.shop = [{ ...listing, url: `https://www.etsy.com/listing/${listing.listing_id}` }]
    const { id: job } = await onEtsy.import()
    const [item] = await onEtsy.items(job, 'status=conflict')
    const path = `/api/v1/marketplace/import/jobs/${job}/items/${item!.id}/resolve/`
    const { change_uid } = (await seller.call('POST', path, { resolution: 'overwrite' })).body
    host.pictures.set('/2.jpg', await photoOf('#888888'))
    await copy()
    expect((await only()).record.images[0]).toContain('/images/img_')
    expect((await seller.call('POST', `/api/v1/changes/${change_uid}/undo/`)).status).toBe(200)
    expect((await only()).record.images).toEqual([`${host.url}/1.jpg`])
  })
})

describe('an inventory file', () => {
  const file = async (of: Seller) =>
    (await fetch(`${harness.server.url}/api/v1/inventory/export/`, { headers: of.account.key })).text()
  const upload = async (of: Seller, csv: string) => {
    const headers = { ...of.account.key, 'content-type': 'text/csv' }
    const url = `${harness.server.url}/api/v1/inventory/import/`
    return (await fetch(url, { method: 'POST', headers, body: csv })).json()
  }

  it('from before the copying leaves the copies in place', async () => {
    await importWith({ '/1.jpg': await photoOf('#121212') })
    const before = await file(seller)
    await copy()
    const { images } = (await only()).record
    expect(await upload(seller, await file(seller))).toMatchObject({ unchanged: 1 })
    host.pictures.clear()
    expect(await upload(seller, before)).toMatchObject({ unchanged: 1 })
    await copy()
    expect((await only()).record.images).toEqual(images)
  })

  it('brings uploaded and copied photos to another account', async () => {
    await importWith({ '/1.jpg': await photoOf('#232323') })
    const headers = { ...seller.account.key, 'content-type': 'image/jpeg' }
    const body = new Uint8Array(await photoOf('#343434'))
    const sent = await fetch(`${harness.server.url}/api/v1/images/`, { method: 'POST', headers, body })
    const { url } = (await sent.json()) as { url: string }
    const { uid, record } = await only()
    await seller.call('PATCH', `/api/v1/inventory/${uid}/`, { images: [...record.images, url] })
    await copy()
    const other = await harness.seller()
    expect(await upload(other, await file(seller))).toMatchObject({ created: 1 })
    await copy()
    await deactivateAccount(harness.server.services, seller.account.user_id)
    const [item] = await other.inventory()
    expect(item.record.images).toHaveLength(2)
    for (const image of item.record.images) expect(await statusOf(image)).toBe(200)
  })
})

describe('a photo', () => {
  it('that is gone stays where it is, with the reason', async () => {
    const good = await photoOf('#999999')
    const { uid } = await importWith({ '/gone.jpg': 404, '/1.jpg': good, '/page.jpg': Buffer.from('<html>') })
    await copy()
    const { images } = (await only()).record
    expect([images[0], images[2]]).toEqual([`${host.url}/gone.jpg`, `${host.url}/page.jpg`])
    expect(images[1]).toContain('/images/img_')
    expect(await rowOf(uid)).toMatchObject({ waits: null, failure: 'There is no picture at its address any more.' })
    await makeDue()
    expect(await copy()).toBe(0)
  })

  it('is tried again later each time while its host fails', async () => {
    const { uid } = await importWith({ '/1.jpg': await photoOf('#aaaaaa'), '/2.jpg': 500 })
    const seen = []
    for (let attempt = 1; attempt <= 6; attempt++) {
      await copy()
      const { waits } = await rowOf(uid)
      seen.push(waits)
      expect(await copy()).toBe(0)
      await makeDue()
    }
    expect(seen).toEqual([60, 600, 3_600, 21_600, 86_400, null])
    // The other one is there by now, and was fetched once.
    const { images } = (await only()).record
    expect(images[0]).toContain('/images/img_')
    expect(images[1]).toBe(`${host.url}/2.jpg`)
    expect(host.requests.filter((path) => path === '/1.jpg')).toHaveLength(1)
    expect(await updates()).toHaveLength(1)
  })

  it.each(['slow', 'endless'] as const)('of a host that is %s keeps nothing waiting', async (fault) => {
    const { uid } = await importWith({ '/1.jpg': fault })
    await copy({ timeoutMs: fault === 'slow' ? 300 : 60_000, maxBytes: 200_000 })
    const failure = fault === 'slow' ? 'A picture could not be fetched.' : 'A picture is larger than 200000 bytes.'
    expect(await rowOf(uid)).toMatchObject({ failure, waits: fault === 'slow' ? 60 : null })
  })

  it('at an address inside is not asked for', async () => {
    const { uid } = await importWith({ '/1.jpg': await photoOf('#bbbbbb') })
    await copy({ platformOrigins: [] })
    expect(host.requests).toEqual([])
    expect(await rowOf(uid)).toMatchObject({ failure: 'The address of a picture is not allowed.' })
  })

  it('of another account becomes one of its own', async () => {
    await importWith({ '/1.jpg': await photoOf('#cccccc') })
    await copy()
    const [url] = (await only()).record.images
    seller = await harness.seller()
    harness.ebay.shop = [buildListing({ images: [url!] })]
    await seller.import()
    await copy()
    const [own] = (await only()).record.images
    expect(own).not.toBe(url)
    expect(await statusOf(own!)).toBe(200)
  })
})

describe('photos whose hosts hang', () => {
  const hang = async (count: number) => {
    const item = Object.fromEntries(Array.from({ length: count }, (_, index) => [`/${index}.jpg`, 'slow' as const]))
    return importWith(item)
  }

  it('keep the photos of another account waiting for nothing', async () => {
    const owner = seller
    for (let account = 0; account < 7; account++) {
      seller = account === 0 ? owner : await harness.seller()
      await hang(3)
    }
    seller = await harness.seller()
    const { uid } = await importWith({ '/good.jpg': await photoOf('#eeeeee') })
    const stop = new AbortController()
    const copying = copyDueImages(tools({ timeoutMs: 60_000 }), stop.signal)
    await until(
      () => rowOf(uid),
      ({ waits }) => waits === null,
    )
    stop.abort()
    await copying
    expect((await only()).record.images[0]).toContain('/images/img_')
  })

  it('leave most slots to others from the second time on', async () => {
    const { db } = harness.server.services
    const slowAccounts = new Map<number, number>()
    const timeouts = { idleMs: 200, allMs: 1_000 }
    for (let account = 0; account < 8; account++) {
      if (account > 0) seller = await harness.seller()
      await hang(2)
      const { user_id } = await db.one('select max(user_id) as user_id from image_copy where due_at is not null')
      slowAccounts.set(user_id, performance.now() + 60_000)
    }
    const stop = new AbortController()
    const copying = copyDueImages({ ...tools({ timeoutMs: 60_000 }), slowAccounts, timeouts }, stop.signal)
    await until(
      async () => host.requests,
      ({ length }) => length >= 2,
    )
    expect(host.requests).toHaveLength(2)
    await copying
    expect(slowAccounts.size).toBe(8)
  })

  it('end the attempt at the item after a time, which the next one continues', async () => {
    const good = await photoOf('#abcdef')
    const { uid } = await importWith({ '/1.jpg': good, '/2.jpg': 'slow', '/3.jpg': good })
    const slowAccounts = new Map<number, number>()
    const limits = { slowAccounts, timeouts: { idleMs: 500, allMs: 2_000 } }
    for (const attempts of [0, 1]) {
      await copyDueImages({ ...tools({ timeoutMs: 60_000 }), ...limits })
      const failure = 'The pictures took too long.'
      expect(await rowOf(uid)).toMatchObject({ attempts, failure, waits: 60 })
      await makeDue()
    }
    expect(slowAccounts.size).toBe(1)
    host.pictures.set('/2.jpg', good)
    await copyDueImages({ ...tools(), ...limits })
    expect((await only()).record.images.every((url) => url.includes('/images/img_'))).toBe(true)
    expect(host.requests.filter((path) => path === '/1.jpg')).toHaveLength(1)
  })
})

describe('a worker that is killed', () => {
  it('before any statement, commit, request or file leaves no second copy', async () => {
    await atEachBorder(async (border) => {
      seller = await harness.seller()
      const { uid } = await importWith({ '/1.jpg': await photoOf('#dddddd') })
      const worker = openBorders(harness.server.services, { at: endAt(border) })
      await worker.run((services) => copyDueImages(crossingTools(worker, services)))
      await worker.close()
      if ((await updates()).length === 0) {
        expect((await only()).record.images).toEqual([`${host.url}/1.jpg`])
        expect(await rowOf(uid)).toMatchObject({ attempts: border === 0 ? 0 : 1, waits: expect.any(Number) })
      }
      await makeDue()
      await copy()
      expect(await statusOf((await only()).record.images[0]!)).toBe(200)
      expect(await imagesOf()).toHaveLength(1)
      expect(await updates()).toHaveLength(1)
      return worker.crossed
    })
  })

  /** The tools of a worker that fetches pictures and writes files across its borders. */
  function crossingTools(worker: Borders, services: Services): CopyTools {
    const { store, fetchPicture } = tools()
    return {
      services,
      store: {
        ...store,
        async put(...file) {
          await worker.cross(`write of ${file[1]}`)
          return store.put(...file)
        },
      },
      async fetchPicture(...request) {
        await worker.cross(`call GET ${request[0]}`)
        return fetchPicture(...request)
      },
    }
  }
})

describe('an account whose photos are full', () => {
  it('waits a day, and its seller is told once', async () => {
    const { config } = harness.server.services
    const quota = config.QUOTA_IMAGES_MB
    await db().none('update app_user set email_verified = true where id = $1', [seller.account.user_id])
    try {
      config.QUOTA_IMAGES_MB = 0
      const { uid } = await importWith({ '/1.jpg': await photoOf('#eeeeee') })
      await copy()
      expect(await rowOf(uid)).toMatchObject({ waits: 86_400, failure: 'The photos of the account are full.' })
      await makeDue()
      await copy()
      const told = await messagesTo(harness.server.services, seller.account.email)
      expect(told.map(({ template }) => template)).toEqual(['photos-full'])
      config.QUOTA_IMAGES_MB = quota
      await makeDue()
      await copy()
      expect((await only()).record.images[0]).toContain('/images/img_')
    } finally {
      config.QUOTA_IMAGES_MB = quota
    }
  })
})

describe('a photo storage that fails', () => {
  it('costs no attempt', async () => {
    const { uid } = await importWith({ '/1.jpg': await photoOf('#ababab') })
    const failing = { ...store(), put: () => Promise.reject(new Error('no space')) }
    expect(await copyDueImages({ ...tools(), store: failing })).toBe(0)
    expect(await rowOf(uid)).toMatchObject({ attempts: 0, waits: 300 })
    await makeDue()
    await copy()
    expect(await statusOf((await only()).record.images[0]!)).toBe(200)
  })
})

describe('IMAGE_COPIES', () => {
  it('off copies nothing, and keeps items queued', async () => {
    const { services } = harness.server
    const { uid } = await importWith({ '/1.jpg': await photoOf('#cdcdcd') })
    const queues = (setting: 'on' | 'off') =>
      imagesJobs({
        ...services,
        config: { ...services.config, IMAGE_COPIES: setting },
        fetchPicture: createFetchPicture({ platformOrigins: [] }),
      }).map(({ queue }) => queue)
    expect(queues('on')).toContain('copy-images')
    expect(queues('off')).not.toContain('copy-images')
    expect((await rowOf(uid)).waits).toBeLessThanOrEqual(0)
  })
})
