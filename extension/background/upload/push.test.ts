import 'fake-indexeddb/auto'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { buildHarness, type Harness } from '#extension/testing/harness.ts'
import { buildTab, tabPost } from '#extension/testing/tab.ts'
import { pageHandlers } from '../handlers/page-handlers.ts'
import { readSession } from '../session/session.ts'
import { hasUnsent } from './push.ts'
import { retryImport } from './retry-import.ts'

let harness: Harness
beforeEach(async () => {
  harness = await buildHarness()
})
afterEach(() => harness.close())

/** Reads a closet of `count` listings to the end without sending. */
async function readCloset(count: number, changes: (n: number) => object = () => ({})) {
  const tab = buildTab(Array.from({ length: count }, (_, n) => tabPost(n, changes(n))))
  const handlers = pageHandlers(harness.context)
  await tab.readOn(handlers, await handlers['page.import']({ pageContext: tab.pageContext }, tab.page))
}

const titles = () => harness.server.inventory.map((item) => item.record.title).sort()
const scrape = async () => (await harness.importQueue.scrapes.toArray())[0]!
const sentBatches = () => harness.server.requests.filter((request) => request.operation === 'sendImportBatch')

describe('the upload', () => {
  it('sends every batch and completes the job', async () => {
    await readCloset(130)
    expect(await harness.push()).toEqual({ kind: 'done' })
    expect(new Set(titles()).size).toBe(130)
    expect(harness.server.jobs).toMatchObject([{ status: 'completed', shop: 'seller' }])
    expect(await harness.importQueue.outbox.count()).toBe(0)
    expect(await harness.importQueue.seen.count()).toBe(0)
    expect((await scrape()).state).toBe('sent')
    expect(await hasUnsent(harness.importQueue)).toBe(false)
    const hashes = await harness.importQueue.listings.toArray()
    expect(hashes.every((listing) => listing.sent_hash === listing.content_hash)).toBe(true)
  })

  it('sends closed batches while reading continues', async () => {
    const tab = buildTab(Array.from({ length: 130 }, (_, n) => tabPost(n)))
    const handlers = pageHandlers(harness.context)
    const second = await tab.readOn(
      handlers,
      await handlers['page.import']({ pageContext: tab.pageContext }, tab.page),
      1,
    )
    await harness.push()
    expect(titles()).toHaveLength(48)
    expect(harness.server.jobs[0]!.status).toBe('in_progress')
    await tab.readOn(handlers, second)
    await harness.push()
    expect(titles()).toHaveLength(130)
    expect(harness.server.jobs).toHaveLength(1)
  })

  it('completes the import of an empty closet', async () => {
    await readCloset(0)
    await harness.push()
    expect(harness.server.jobs).toMatchObject([{ status: 'completed', items: [] }])
  })

  it('resends a batch with the same id', async () => {
    await readCloset(30)
    harness.server.faults.push({ operation: 'sendImportBatch', code: 'network', times: 1 })
    const outcome = await harness.push()
    expect(outcome).toEqual({ kind: 'later', retryAt: harness.now.value + 1_500 })
    expect(await harness.importQueue.outbox.count()).toBe(1)
    await harness.push()
    const ids = sentBatches().map((request) => (request.body as { batch_id: string }).batch_id)
    expect(ids[0]).toBe(ids[1])
    expect(titles()).toHaveLength(30)
  })

  it('repeats lost requests without duplicates', async () => {
    await readCloset(130)
    for (const operation of ['startExtensionImport', 'sendImportBatch', 'completeExtensionImport'] as const) {
      harness.server.faults.push({ operation, code: 'lost_reply', times: 1 })
    }
    for (let turn = 0; turn < 4; turn++) await harness.push()
    expect(titles()).toHaveLength(130)
    expect(harness.server.jobs).toHaveLength(1)
    expect((await scrape()).state).toBe('sent')
    const keys = harness.server.requests.flatMap((request) => request.headers['idempotency-key'] ?? [])
    expect(new Set(keys).size).toBe(1)
  })

  it('backs off, except while the seller looks', async () => {
    await readCloset(3)
    harness.server.faults.push({ operation: 'startExtensionImport', code: 'unavailable', times: 2 })
    harness.server.faults.push({ operation: 'startExtensionImport', code: 'rate_limited', times: 1, retryAfter: 120 })
    const waits: number[] = []
    for (let turn = 0; turn < 3; turn++) {
      const outcome = await harness.push(true)
      if (outcome.kind === 'later') waits.push(outcome.retryAt - harness.now.value)
    }
    expect(waits).toEqual([1_500, 3_000, 120_000])
    const asked = harness.server.requests.length
    expect((await harness.push(false)).kind).toBe('later')
    expect(harness.server.requests).toHaveLength(asked)
    harness.now.value += 120_000
    expect(await harness.push(false)).toEqual({ kind: 'done' })
  })

  it('keeps a valid key after a single 401', async () => {
    await readCloset(3)
    harness.server.faults.push({ operation: 'sendImportBatch', code: 'unauthenticated', times: 1 })
    expect((await harness.push()).kind).toBe('later')
    expect((await readSession(harness.store))?.status).toBe('active')
    expect(harness.server.requests.filter((request) => request.operation === 'listPlatforms')).toHaveLength(1)
  })

  it('waits for a sign-in if the key is rejected', async () => {
    await readCloset(3)
    harness.server.keys.clear()
    expect(await harness.push()).toEqual({ kind: 'signed_out' })
    expect((await readSession(harness.store))?.status).toBe('expired')
    expect(await harness.importQueue.outbox.count()).toBe(1)
    const asked = harness.server.requests.length
    expect(await harness.push()).toEqual({ kind: 'signed_out' })
    expect(harness.server.requests).toHaveLength(asked)
  })

  it('isolates a rejected listing and sends the others', async () => {
    await readCloset(90)
    harness.server.poison.add(tabPost(57).id)
    expect(await harness.push()).toEqual({ kind: 'done' })
    expect(titles()).toHaveLength(89)
    const failed = harness.server.jobs[0]!.items.filter((item) => item.status === 'failed')
    expect(failed).toMatchObject([{ external_listing_id: tabPost(57).id, error_code: 'record_invalid' }])
  })

  it('opens a new job if another browser completed one', async () => {
    const tab = buildTab(Array.from({ length: 90 }, (_, n) => tabPost(n)))
    const handlers = pageHandlers(harness.context)
    const second = await tab.readOn(
      handlers,
      await handlers['page.import']({ pageContext: tab.pageContext }, tab.page),
      1,
    )
    await harness.push()
    harness.server.jobs[0]!.status = 'completed'
    await tab.readOn(handlers, second)
    expect(await harness.push()).toEqual({ kind: 'done' })
    expect(titles()).toHaveLength(90)
    expect(harness.server.jobs.map((job) => job.status)).toEqual(['completed', 'completed'])
  })

  it('stops a refused import until it is retried', async () => {
    await readCloset(3)
    harness.server.faults.push({ operation: 'startExtensionImport', code: 'quota_exceeded', times: 1 })
    expect(await harness.push()).toEqual({ kind: 'done' })
    expect(await scrape()).toMatchObject({
      state: 'refused',
      refusal: 'The account holds as much as it may',
    })
    expect(await hasUnsent(harness.importQueue)).toBe(false)
    await retryImport({ ...harness.context, importQueue: harness.importQueue }, (await scrape()).id)
    await harness.push()
    expect(titles()).toHaveLength(3)
  })

  it('sends everything once for ten concurrent pushes', async () => {
    await readCloset(130)
    await Promise.all(Array.from({ length: 10 }, () => harness.push()))
    expect(sentBatches()).toHaveLength(3)
    expect(titles()).toHaveLength(130)
  })
})
