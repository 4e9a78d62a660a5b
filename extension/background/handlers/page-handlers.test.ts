import 'fake-indexeddb/auto'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { buildHarness, type Harness } from '#extension/testing/harness.ts'
import { buildTab, tabPost } from '#extension/testing/tab.ts'
import { pageHandlers } from './page-handlers.ts'

let harness: Harness
beforeEach(async () => {
  harness = await buildHarness()
})
afterEach(() => harness.close())

const posts = (count: number) => Array.from({ length: count }, (_, n) => tabPost(n))
const handlers = () => pageHandlers(harness.context)

describe('the page handlers for Poshmark', () => {
  it('offer an import with the closet’s listing count', async () => {
    const tab = buildTab(posts(3))
    expect(await handlers()['page.look']({ pageContext: tab.pageContext }, tab.page)).toEqual({
      show: { kind: 'offer', total: 3 },
      task: null,
      look_again_ms: null,
    })
  })

  it.each([
    ['another user’s closet', { url: 'https://poshmark.com/closet/other' }],
    ['a page other than a closet', { url: 'https://poshmark.com/feed' }],
    ['a closet while signed out', { cookies: {} }],
  ])('offer nothing on %s', async (_, changes) => {
    const tab = buildTab(posts(3))
    const pageContext = { ...tab.pageContext, ...changes }
    expect((await handlers()['page.look']({ pageContext }, tab.page)).show).toEqual({ kind: 'nothing' })
    expect((await handlers()['page.import']({ pageContext }, tab.page)).task).toBeNull()
    expect(await harness.importQueue.scrapes.count()).toBe(0)
  })

  it('start nothing while signed out of Hapax', async () => {
    await harness.store.clear()
    const tab = buildTab(posts(3))
    expect((await handlers()['page.import']({ pageContext: tab.pageContext }, tab.page)).show).toEqual({
      kind: 'sign_in',
    })
    expect(await harness.importQueue.scrapes.count()).toBe(0)
  })

  it('read each listing of the closet once', async () => {
    const tab = buildTab(posts(130))
    const view = await tab.readOn(
      handlers(),
      await handlers()['page.import']({ pageContext: tab.pageContext }, tab.page),
    )
    expect(view.show).toEqual({ kind: 'sending', read: 130 })
    expect(await harness.importQueue.listings.count()).toBe(130)
    const waiting = await harness.importQueue.outbox.toArray()
    expect(waiting.map((batch) => [batch.closed, batch.listings.length])).toEqual([
      [1, 48],
      [1, 48],
      [1, 34],
    ])
  })

  it('read a listing once when the shop shifts meanwhile', async () => {
    const tab = buildTab([...posts(60), tabPost(3), ...posts(2)])
    await tab.readOn(handlers(), await handlers()['page.import']({ pageContext: tab.pageContext }, tab.page))
    const waiting = await harness.importQueue.outbox.toArray()
    expect(waiting.flatMap((batch) => batch.listings)).toHaveLength(60)
  })

  it('count a repeated answer once', async () => {
    const tab = buildTab(posts(130))
    const first = await handlers()['page.import']({ pageContext: tab.pageContext }, tab.page)
    const { scrape_id, step, request } = first.task!
    const answer = { pageContext: tab.pageContext, scrape_id, step, answer: tab.fetch(request) }
    const one = await handlers()['page.answer'](answer, tab.page)
    const two = await handlers()['page.answer'](answer, tab.page)
    expect(two.task).toEqual(one.task)
    expect((await harness.importQueue.scrapes.toArray())[0]).toMatchObject({ step: 2, read: 48 })
  })

  it('continue the same import on a second click', async () => {
    const tab = buildTab(posts(3))
    await Promise.all([1, 2, 3].map(() => handlers()['page.import']({ pageContext: tab.pageContext }, tab.page)))
    expect(await harness.importQueue.scrapes.count()).toBe(1)
  })

  it('let another tab read once the first is silent', async () => {
    const one = buildTab(posts(130), 48, 1)
    const two = buildTab(posts(130), 48, 2)
    await handlers()['page.import']({ pageContext: one.pageContext }, one.page)
    const watching = await handlers()['page.look']({ pageContext: two.pageContext }, two.page)
    expect(watching).toMatchObject({ show: { kind: 'reading' }, task: null, look_again_ms: 2_000 })
    harness.now.value += 60_000
    expect((await handlers()['page.look']({ pageContext: two.pageContext }, two.page)).task).not.toBeNull()
  })

  it('let another tab read once the first is closed', async () => {
    const one = buildTab(posts(130), 48, 1)
    const two = buildTab(posts(130), 48, 2)
    const feed = { ...two.pageContext, url: 'https://poshmark.com/feed' }
    await handlers()['page.import']({ pageContext: one.pageContext }, one.page)
    const look = () => handlers()['page.look']({ pageContext: feed }, two.page)
    // Ask again soon, since the other tab may close at any time.
    expect(await look()).toMatchObject({ show: { kind: 'nothing' }, task: null, look_again_ms: 2_000 })
    harness.closed.add(1)
    expect((await look()).task).not.toBeNull()
  })

  it('continue an import on any page of the platform', async () => {
    const tab = buildTab(posts(60))
    await handlers()['page.import']({ pageContext: tab.pageContext }, tab.page)
    const elsewhere = { ...tab.pageContext, url: 'https://poshmark.com/feed' }
    const view = await handlers()['page.look']({ pageContext: elsewhere }, tab.page)
    expect(view.show).toEqual({ kind: 'nothing' })
    expect(view.task).not.toBeNull()
  })

  it.each([
    ['challenge', { status: 403, text: 'px-captcha' }],
    ['rate_limited', { status: 429 }],
    ['logged_out', { status: 401 }],
  ] as const)('stop at %s and resume on a click', async (reason, odd) => {
    const tab = buildTab(posts(130))
    const first = await handlers()['page.import']({ pageContext: tab.pageContext }, tab.page)
    const second = await tab.readOn(handlers(), first, 1)
    tab.odd.push(odd)
    const stopped = await tab.readOn(handlers(), second)
    expect(stopped.show).toEqual({ kind: 'stopped', reason, read: 48, total: 130 })
    expect((await harness.importQueue.outbox.toArray()).map((batch) => batch.closed)).toEqual([1])
    const view = await tab.readOn(
      handlers(),
      await handlers()['page.import']({ pageContext: tab.pageContext }, tab.page),
    )
    expect(view.show).toEqual({ kind: 'sending', read: 130 })
    // The first page, and the check for an empty sold list.
    expect(tab.fetched.filter((request) => request.accept === 'html')).toHaveLength(2)
  })

  it('retry a few times without an answer, then stop', async () => {
    const tab = buildTab(posts(3))
    tab.odd.push(...Array.from({ length: 9 }, () => ({ status: 0, text: '' })))
    const view = await tab.readOn(
      handlers(),
      await handlers()['page.import']({ pageContext: tab.pageContext }, tab.page),
    )
    expect(view.show).toMatchObject({ kind: 'stopped', reason: 'unreachable' })
    expect(tab.fetched).toHaveLength(4)
  })

  it.each([
    ['other_user', 'another user signs in', { uid: 'u2', dh: 'other' }],
    ['logged_out', 'the user signs out', null],
  ])('stop as %s when %s meanwhile', async (reason, _, user) => {
    const tab = buildTab(posts(130))
    const first = await handlers()['page.import']({ pageContext: tab.pageContext }, tab.page)
    const second = await tab.readOn(handlers(), first, 1)
    tab.pageContext.cookies = user ? { ui: encodeURIComponent(JSON.stringify(user)) } : {}
    const view = await tab.readOn(handlers(), second)
    expect(view).toMatchObject({ show: { kind: 'nothing' }, task: null })
    expect((await harness.importQueue.scrapes.toArray())[0]).toMatchObject({ state: 'stopped', stop: { reason } })
  })

  it('pause before each fetch, and longer after misses', async () => {
    const pauses: number[] = []
    harness.context.sleep = async (ms) => void pauses.push(ms)
    const tab = buildTab(posts(130))
    const first = await handlers()['page.import']({ pageContext: tab.pageContext }, tab.page)
    tab.odd.push({}, { status: 0 })
    await tab.readOn(handlers(), first)
    expect(pauses).toEqual([1_250, 1_250, 2_500, 1_250, 1_250])
  })

  it('record only the name of the signed-in user', async () => {
    const tab = buildTab(posts(1))
    await handlers()['page.look']({ pageContext: tab.pageContext }, tab.page)
    expect(await harness.store.get('seen')).toEqual({ poshmark: { username: 'seller', at: harness.now.value } })
  })
})
