import 'fake-indexeddb/auto'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { buildHarness, type Harness } from '#extension/testing/harness.ts'
import { buildTab, tabPost } from '#extension/testing/tab.ts'
import { pageHandlers } from '../handlers/page-handlers.ts'

let harness: Harness
beforeEach(async () => {
  harness = await buildHarness()
})
afterEach(() => harness.close())

const posts = (count: number) => Array.from({ length: count }, (_, n) => tabPost(n))

/** Reads a closet of `count` listings and queues only changes. */
async function readCloset(count: number) {
  harness.now.value += 60_000
  const tab = buildTab(posts(count))
  const handlers = pageHandlers(harness.context)
  await tab.readOn(handlers, await handlers['page.import']({ pageContext: tab.pageContext }, tab.page))
}

const requestsOf = (operation: string) => harness.server.requests.filter((request) => request.operation === operation)
const pagesAsked = () =>
  requestsOf('listImportIssues').map(({ path }) => new URL(path, 'https://hapax.test').searchParams.get('page'))
const sentIds = () =>
  requestsOf('sendImportBatch').flatMap(({ body }) =>
    (body as { listings: { listing_id: string }[] }).listings.map(({ listing_id }) => listing_id),
  )
/** Returns the listings that the next import sends although unchanged. */
const forgotten = async () =>
  (await harness.importQueue.listings.filter(({ sent_hash }) => sent_hash === null).toArray()).map(
    ({ listing_id }) => listing_id,
  )
const idsOf = (from: number, to: number) =>
  posts(to)
    .slice(from)
    .map(({ id }) => id)
const lastScrape = async () => (await harness.importQueue.scrapes.orderBy('updated_at').last())!

describe('listings that the server failed', () => {
  it('are resent by each import while they fail', async () => {
    harness.server.failing.add(tabPost(57).id)
    await readCloset(130)
    await harness.push()
    for (let turn = 0; turn < 2; turn++) {
      harness.server.requests.length = 0
      await readCloset(130)
      await harness.push()
      expect(sentIds()).toEqual([tabPost(57).id])
    }
    harness.server.failing.clear()
    await readCloset(130)
    await harness.push()
    harness.server.requests.length = 0
    await readCloset(130)
    await harness.push()
    expect(sentIds()).toEqual([])
  })

  it('are listed by page and resumed after a kill', async () => {
    for (const id of idsOf(0, 330)) harness.server.failing.add(id)
    await readCloset(400)
    harness.server.faults.push({ operation: 'completeExtensionImport', code: 'lost_reply', times: 1 })
    expect((await harness.push()).kind).toBe('later')
    // Kill the worker with the third page in flight, so its answer comes too late.
    const answer = harness.server.fetch
    Object.assign(harness.server, {
      fetch: async (url: string, init: RequestInit) => {
        const response = await answer(url, init)
        if (pagesAsked().length === 3) throw new TypeError('Failed to fetch')
        return response
      },
    })
    expect((await harness.push()).kind).toBe('later')
    expect((await forgotten()).toSorted()).toEqual(idsOf(200, 330))
    Object.assign(harness.server, { fetch: answer })
    await harness.restart()
    expect(await harness.push()).toEqual({ kind: 'done' })
    expect(pagesAsked()).toEqual(['4', '3', '2', '2', '1'])
    expect((await forgotten()).toSorted()).toEqual(idsOf(0, 330))
    expect((await lastScrape()).state).toBe('sent')
  })

  it('are all found while others leave the list', async () => {
    for (const id of idsOf(0, 330)) harness.server.failing.add(id)
    await readCloset(330)
    const answer = harness.server.fetch
    Object.assign(harness.server, {
      fetch: async (url: string, init: RequestInit) => {
        const response = await answer(url, init)
        // The seller retried, and the first 310 succeeded.
        const items = harness.server.jobs[0]!.items.slice(0, 310)
        if (pagesAsked().length === 1) for (const item of items) item.status = 'imported'
        return response
      },
    })
    expect(await harness.push()).toEqual({ kind: 'done' })
    expect((await forgotten()).toSorted()).toEqual(idsOf(300, 330))
    expect(pagesAsked()).toEqual(['4', '3', '1'])
  })

  it('survive a job that another browser completed', async () => {
    harness.server.failing.add(tabPost(3).id)
    const tab = buildTab(posts(90))
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
    expect(harness.server.jobs).toHaveLength(2)
    expect(await forgotten()).toEqual([tabPost(3).id])
  })

  it('are resent with the whole shop if unnamed', async () => {
    harness.server.failing.add(tabPost(3).id)
    harness.server.faults.push({ operation: 'listImportIssues', code: 'not_found', times: 1 })
    await readCloset(30)
    expect(await harness.push()).toEqual({ kind: 'done' })
    expect((await lastScrape()).state).toBe('sent')
    expect((await forgotten()).toSorted()).toEqual(idsOf(0, 30))
  })
})
