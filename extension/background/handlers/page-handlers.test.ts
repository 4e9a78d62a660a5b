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

describe('what a page of Poshmark is told', () => {
  it('the seller’s own closet is offered with its number of listings', async () => {
    const tab = buildTab(posts(3))
    expect(await handlers()['page.look']({ pageContext: tab.pageContext }, tab.page)).toEqual({
      show: { kind: 'offer', total: 3 },
      task: null,
      look_again_ms: null,
    })
  })

  it.each([
    ['somebody else’s closet', { url: 'https://poshmark.com/closet/other' }],
    ['a page that is no closet', { url: 'https://poshmark.com/feed' }],
    ['a closet while nobody is signed in', { cookies: {} }],
  ])('%s shows nothing, and pressing where nothing is does nothing', async (_, changes) => {
    const tab = buildTab(posts(3))
    const pageContext = { ...tab.pageContext, ...changes }
    expect((await handlers()['page.look']({ pageContext }, tab.page)).show).toEqual({ kind: 'nothing' })
    expect((await handlers()['page.import']({ pageContext }, tab.page)).task).toBeNull()
    expect(await harness.importQueue.scrapes.count()).toBe(0)
  })

  it('signed out of Hapax, the closet says so and nothing starts', async () => {
    await harness.store.clear()
    const tab = buildTab(posts(3))
    expect((await handlers()['page.import']({ pageContext: tab.pageContext }, tab.page)).show).toEqual({
      kind: 'sign_in',
    })
    expect(await harness.importQueue.scrapes.count()).toBe(0)
  })

  it('reads the whole closet into cache and outbox, each listing once', async () => {
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

  it('takes a listing once although the shop moved while it was read', async () => {
    const tab = buildTab([...posts(60), tabPost(3), ...posts(2)])
    await tab.readOn(handlers(), await handlers()['page.import']({ pageContext: tab.pageContext }, tab.page))
    const waiting = await harness.importQueue.outbox.toArray()
    expect(waiting.flatMap((batch) => batch.listings)).toHaveLength(60)
  })

  it('an answer that comes twice counts once', async () => {
    const tab = buildTab(posts(130))
    const first = await handlers()['page.import']({ pageContext: tab.pageContext }, tab.page)
    const { scrape_id, step, request } = first.task!
    const answer = { pageContext: tab.pageContext, scrape_id, step, answer: tab.fetch(request) }
    const one = await handlers()['page.answer'](answer, tab.page)
    const two = await handlers()['page.answer'](answer, tab.page)
    expect(two.task).toEqual(one.task)
    expect((await harness.importQueue.scrapes.toArray())[0]).toMatchObject({ step: 2, read: 48 })
  })

  it('a second press, or one in a second tab, is the same import', async () => {
    const tab = buildTab(posts(3))
    await Promise.all([1, 2, 3].map(() => handlers()['page.import']({ pageContext: tab.pageContext }, tab.page)))
    expect(await harness.importQueue.scrapes.count()).toBe(1)
  })

  it('only one tab reads at a time; another takes over when it has fallen silent', async () => {
    const one = buildTab(posts(130), 48, 1)
    const two = buildTab(posts(130), 48, 2)
    await handlers()['page.import']({ pageContext: one.pageContext }, one.page)
    const watching = await handlers()['page.look']({ pageContext: two.pageContext }, two.page)
    expect(watching).toMatchObject({ show: { kind: 'reading' }, task: null, look_again_ms: 2_000 })
    harness.now.value += 60_000
    expect((await handlers()['page.look']({ pageContext: two.pageContext }, two.page)).task).not.toBeNull()
  })

  it('another tab, whatever it shows, takes over at once from one that is no longer there', async () => {
    const one = buildTab(posts(130), 48, 1)
    const two = buildTab(posts(130), 48, 2)
    const feed = { ...two.pageContext, url: 'https://poshmark.com/feed' }
    await handlers()['page.import']({ pageContext: one.pageContext }, one.page)
    const look = () => handlers()['page.look']({ pageContext: feed }, two.page)
    // It looks again, since the other may end at any time.
    expect(await look()).toMatchObject({ show: { kind: 'nothing' }, task: null, look_again_ms: 2_000 })
    harness.closed.add(1)
    expect((await look()).task).not.toBeNull()
  })

  it('any page of the platform in the seller’s session goes on with what was begun, and shows nothing elsewhere', async () => {
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
  ] as const)('stops at %s, keeps what was read, and goes on from there when pressed', async (reason, odd) => {
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
    // At the beginning, and to see whether nothing is sold.
    expect(tab.fetched.filter((request) => request.accept === 'html')).toHaveLength(2)
  })

  it('asks again a few times when nothing comes, then stops and says so', async () => {
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
    ['other_user', 'somebody else signs in', { uid: 'u2', dh: 'other' }],
    ['logged_out', 'nobody is signed in any more', null],
  ])('stops as %s when %s on the platform meanwhile', async (reason, _, user) => {
    const tab = buildTab(posts(130))
    const first = await handlers()['page.import']({ pageContext: tab.pageContext }, tab.page)
    const second = await tab.readOn(handlers(), first, 1)
    tab.pageContext.cookies = user ? { ui: encodeURIComponent(JSON.stringify(user)) } : {}
    const view = await tab.readOn(handlers(), second)
    expect(view).toMatchObject({ show: { kind: 'nothing' }, task: null })
    expect((await harness.importQueue.scrapes.toArray())[0]).toMatchObject({ state: 'stopped', stop: { reason } })
  })

  it('keeps a person’s pace: pauses before telling the next fetch, longer after misses', async () => {
    const pauses: number[] = []
    harness.context.sleep = async (ms) => void pauses.push(ms)
    const tab = buildTab(posts(130))
    const first = await handlers()['page.import']({ pageContext: tab.pageContext }, tab.page)
    tab.odd.push({}, { status: 0 })
    await tab.readOn(handlers(), first)
    expect(pauses).toEqual([1_250, 1_250, 2_500, 1_250, 1_250])
  })

  it('remembers who is signed in on the platform, by name only', async () => {
    const tab = buildTab(posts(1))
    await handlers()['page.look']({ pageContext: tab.pageContext }, tab.page)
    expect(await harness.store.get('seen')).toEqual({ poshmark: { username: 'seller', at: harness.now.value } })
  })
})
