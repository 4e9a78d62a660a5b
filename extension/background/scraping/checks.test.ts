import 'fake-indexeddb/auto'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { buildHarness, type Harness } from '#extension/testing/harness.ts'
import { sampleTask } from '#extension/testing/sample-task.ts'
import { buildTab, tabPost } from '#extension/testing/tab.ts'
import { catalogueAgesMs, refreshCatalogue } from '../catalogue.ts'
import { pageHandlers } from '../handlers/page-handlers.ts'
import { popupHandlers } from '../handlers/popup-handlers.ts'
import { watch } from '../tasks/watch.ts'

let harness: Harness
let posts: Record<string, unknown>[]
let tab: ReturnType<typeof buildTab>
beforeEach(async () => {
  harness = await buildHarness()
  posts = Array.from({ length: 60 }, (_, n) => tabPost(n))
  tab = buildTab(posts)
})
afterEach(() => harness.close())

const minute = 60_000
const handlers = () => pageHandlers(harness.context)
const at = (url: string) => ({ ...tab.pageContext, url })
const feed = () => at('https://poshmark.com/feed')
const look = (pageContext = tab.pageContext) => handlers()['page.look']({ pageContext }, tab.page)

/** Imports the closet, with everything sent. */
async function imported(): Promise<void> {
  await tab.readOn(handlers(), await handlers()['page.import']({ pageContext: tab.pageContext }, tab.page))
  await harness.push()
  tab.fetched.length = 0
  harness.now.value += 1_000
}

/** Somebody buys a thing on the platform. */
function sell(n: number): string {
  Object.assign(posts[n]!, { inventory: { status: 'sold_out' } })
  return tabPost(n).id
}

/** A visit, and all that comes of it. */
async function visit(pageContext = tab.pageContext) {
  const before = { ...tab.pageContext }
  Object.assign(tab.pageContext, pageContext)
  const view = await tab.readOn(handlers(), await look(pageContext))
  Object.assign(tab.pageContext, before)
  await harness.push()
  return view
}

const fetchedPaths = () => tab.fetched.map((request) => new URL(request.url).pathname)

describe('what sold on a platform whose orders nobody can read', () => {
  it('is seen at the next visit to the shop and reported as a sale, once', async () => {
    await imported()
    const id = sell(41)
    harness.now.value += 6 * minute
    expect((await look()).show).toEqual({ kind: 'checking' })
    expect((await visit()).show).toEqual({ kind: 'sold', sold: 1 })
    expect(harness.server.sales).toEqual([id])
    harness.now.value += 60 * minute
    await visit()
    expect(harness.server.sales).toEqual([id])
  })

  it('takes the pages of what is for sale and the missing listing alone, and is no import for the server', async () => {
    await imported()
    sell(41)
    harness.now.value += 6 * minute
    await visit()
    expect(fetchedPaths()).toEqual([
      '/closet/seller',
      '/vm-rest/users/seller/posts/filtered',
      `/vm-rest/posts/${tabPost(41).id}`,
    ])
    expect(harness.server.jobs).toHaveLength(1)
  })

  it('is seen at a scheduled check on any page of the platform, and a page says when to look again', async () => {
    await imported()
    const id = sell(7)
    expect(await look(feed())).toMatchObject({ task: null, look_again_ms: 15 * minute })
    harness.now.value += 50 * minute - 1_000
    expect(await look(feed())).toMatchObject({ task: null, look_again_ms: 10 * minute })
    harness.now.value += 10 * minute
    expect(await visit(feed())).toMatchObject({ show: { kind: 'nothing' } })
    expect(harness.server.sales).toEqual([id])
  })

  it('is looked for at the pace that the seller chose, or at visits only', async () => {
    await imported()
    sell(7)
    await harness.store.set('settings', { pace_ms: 1_000, notify: true, check_minutes: 0 })
    harness.now.value += 600 * minute
    expect(await look(feed())).toMatchObject({ task: null, look_again_ms: null })
    await harness.store.set('settings', { pace_ms: 1_000, notify: true, check_minutes: 15 })
    expect((await look(feed())).task).not.toBeNull()
  })

  it('is seen at the page of the listing, by that listing alone', async () => {
    await imported()
    const id = sell(7)
    harness.now.value += 6 * minute
    expect(await visit(at(`https://poshmark.com/listing/Thing-7-${id}`))).toMatchObject({ show: { kind: 'nothing' } })
    expect(harness.server.sales).toEqual([id])
    expect(fetchedPaths()).toEqual([`/vm-rest/posts/${id}`])
    await visit(at(`https://poshmark.com/listing/Other-${'f'.repeat(24)}`))
    expect(fetchedPaths()).toHaveLength(1)
  })

  it('is nothing to look for in a shop that was never imported, or by somebody who is not signed in', async () => {
    harness.now.value += 600 * minute
    expect((await look()).task).toBeNull()
    await imported()
    harness.now.value += 600 * minute
    const nobody = { ...tab.pageContext, cookies: {} }
    expect((await look(nobody)).task).toBeNull()
    await harness.store.clear()
    expect((await look()).task).toBeNull()
  })

  it('is not looked for beside an import', async () => {
    await imported()
    const first = await handlers()['page.import']({ pageContext: tab.pageContext }, tab.page)
    await tab.readOn(handlers(), first, 1)
    harness.now.value += 600 * minute
    await look()
    expect((await harness.importQueue.scrapes.toArray()).map(({ kind }) => kind)).toEqual(['import', 'import'])
  })

  it('is no sale when a listing is gone or taken off', async () => {
    await imported()
    Object.assign(posts[3]!, { inventory: { status: 'not_for_sale' } })
    posts.splice(10, 1)
    harness.now.value += 6 * minute
    expect((await visit()).show).toEqual({ kind: 'offer', total: 60 })
    expect(harness.server.sales).toEqual([])
  })

  it('waits for the server as long as it takes, over the death of the worker', async () => {
    await imported()
    const id = sell(41)
    harness.now.value += 6 * minute
    harness.server.faults.push({ operation: 'reportSales', code: 'network', times: 2 })
    await visit()
    await harness.restart()
    expect((await harness.push()).kind).toBe('later')
    expect(harness.server.sales).toEqual([])
    await harness.restart()
    expect((await harness.push()).kind).toBe('done')
    expect(harness.server.sales).toEqual([id])
    expect(await harness.importQueue.sales.count()).toBe(0)
  })

  it.each([
    ['challenge', { status: 403, text: 'px-captcha' }],
    ['rate_limited', { status: 429 }],
    ['logged_out', { status: 401 }],
  ] as const)(
    'stops politely (%s), says so, and is not tried again at every step of the seller',
    async (reason, odd) => {
      await imported()
      sell(41)
      harness.now.value += 6 * minute
      tab.odd.push(odd)
      expect((await visit()).show).toMatchObject({ kind: 'stopped', reason })
      harness.now.value += 6 * minute
      expect((await look()).task).toBeNull()
      await tab.readOn(handlers(), await handlers()['page.import']({ pageContext: tab.pageContext }, tab.page))
      await harness.push()
      expect(harness.server.sales).toHaveLength(1)
    },
  )

  it('is not guessed where the list of what is for sale is not understood: that is told', async () => {
    await imported()
    sell(41)
    harness.now.value += 6 * minute
    tab.odd.push({ text: '<html></html>' }, { text: '{"posts":[]}' })
    expect((await visit()).show).toMatchObject({ kind: 'stopped', reason: 'page_changed' })
    expect([tab.fetched.length, harness.server.sales]).toEqual([2, []])
  })
})

describe('a second import', () => {
  it('sends what has changed alone, and opens no job where nothing has', async () => {
    await imported()
    await imported()
    expect(harness.server.jobs.map((job) => job.items.length)).toEqual([60])
    Object.assign(posts[5]!, { title: 'A new title' })
    posts.push(tabPost(60))
    await imported()
    expect(harness.server.jobs.map((job) => job.items.length)).toEqual([60, 2])
    expect(harness.server.jobs[1]!.items.map((item) => item.external_listing_id).sort()).toEqual([
      tabPost(5).id,
      tabPost(60).id,
    ])
  })

  it('sends again what the server could not keep', async () => {
    harness.server.unkeepable.add(tabPost(2).id)
    await imported()
    harness.server.unkeepable.clear()
    await imported()
    expect(harness.server.inventory.flatMap((item) => item.record.channel_listings ?? [])).toHaveLength(60)
  })
})

describe('a listing that looks as it did when the server took it is sent again', () => {
  /** Ids of the listings that the imports after the first one sent. */
  const sentAgain = () =>
    harness.server.jobs.slice(1).flatMap((job) => job.items.map((item) => item.external_listing_id))

  /** Thing `n` sold elsewhere: it is to come down here, as the extension knows. */
  async function soldElsewhere(n: number) {
    const { id: listing_id } = tabPost(n)
    const url = `https://poshmark.com/listing/${listing_id}`
    const task = sampleTask({ platform: 'poshmark', listing_id, url })
    harness.server.tasks.push(task)
    await watch(harness.context)
    return task
  }

  it.each([
    [
      'said to be done in the popup',
      (uid: string) => popupHandlers(harness.context)['popup.finishTask']({ uid, how: 'done' }),
    ],
    [
      'put aside in the popup',
      (uid: string) => popupHandlers(harness.context)['popup.finishTask']({ uid, how: 'dismiss' }),
    ],
    ['said to be done on its page', (uid: string) => handlers()['page.down']({ task: uid }, tab.page)],
    [
      'ended in another browser',
      async () => {
        harness.server.tasks[0]!.status = 'dismissed'
        await watch(harness.context)
      },
    ],
  ])('when the task to take it down was %s: it may be on offer all the same', async (_how, end) => {
    await imported()
    const { uid } = await soldElsewhere(41)
    await imported()
    expect(sentAgain()).toEqual([])
    await end(uid)
    await imported()
    expect(sentAgain()).toEqual([tabPost(41).id])
    await imported()
    expect(sentAgain()).toHaveLength(1)
  })

  it('when a worker was killed just as it heard that the task is over', async () => {
    await imported()
    await soldElsewhere(41)
    harness.server.tasks[0]!.status = 'dismissed'
    const { set } = harness.store
    harness.store.set = async (name, value) => {
      if (name === 'snapshot') throw new Error('killed')
      return set(name, value)
    }
    await watch(harness.context).catch(() => null)
    harness.store.set = set
    await harness.restart()
    await watch(harness.context)
    await imported()
    expect(sentAgain()).toEqual([tabPost(41).id])
  })

  it('when it was reported as sold and is on offer again: the buyer has cancelled', async () => {
    await imported()
    const id = sell(41)
    harness.now.value += 6 * minute
    await visit()
    expect(harness.server.sales).toEqual([id])
    Object.assign(posts[41]!, { inventory: { status: 'available' } })
    await imported()
    expect(sentAgain()).toEqual([id])
  })
})

describe('a platform whose reading the operator has turned off', () => {
  it('is not imported: the page says so, and nothing is fetched', async () => {
    harness.server.readingOff.add('poshmark')
    const view = await handlers()['page.import']({ pageContext: tab.pageContext }, tab.page)
    expect(view).toMatchObject({ show: { kind: 'off' }, task: null })
    expect(await harness.importQueue.scrapes.count()).toBe(0)
  })

  it('is read no further in the middle of an import, and goes on where it stood when it is on again', async () => {
    const first = await handlers()['page.import']({ pageContext: tab.pageContext }, tab.page)
    const second = await tab.readOn(handlers(), first, 1)
    harness.server.readingOff.add('poshmark')
    harness.now.value += 16 * minute
    await refreshCatalogue(harness.context, catalogueAgesMs.idle)
    expect(await tab.readOn(handlers(), second)).toMatchObject({ show: { kind: 'off' }, task: null })
    const fetched = tab.fetched.length
    harness.now.value += 60 * minute
    expect((await look()).task).toBeNull()
    harness.server.readingOff.clear()
    await refreshCatalogue(harness.context, catalogueAgesMs.idle)
    await tab.readOn(handlers(), await look())
    await harness.push()
    expect(tab.fetched.length).toBeGreaterThan(fetched)
    expect(harness.server.jobs).toMatchObject([{ status: 'completed' }])
  })

  it('is not checked either, and another platform is not held by it', async () => {
    await imported()
    sell(3)
    harness.server.readingOff.add('poshmark')
    harness.now.value += 60 * minute
    await refreshCatalogue(harness.context, catalogueAgesMs.idle)
    expect(await look()).toMatchObject({ show: { kind: 'off' }, task: null })
    harness.server.readingOff.clear()
    harness.server.readingOff.add('depop')
    harness.now.value += 60 * minute
    await refreshCatalogue(harness.context, catalogueAgesMs.idle)
    expect((await look()).task).not.toBeNull()
  })

  it('is on again with a new version, until the server says otherwise to that one', async () => {
    harness.server.readingOff.add('poshmark')
    await refreshCatalogue(harness.context, 0)
    expect((await look()).show).toEqual({ kind: 'off' })
    harness.context.version = '0.2.0'
    expect((await look()).show).toEqual({ kind: 'offer', total: 60 })
  })

  it('stays as it was last said while the server does not answer', async () => {
    harness.server.readingOff.add('poshmark')
    await refreshCatalogue(harness.context, 0)
    harness.now.value += 60 * minute
    harness.server.faults.push({ operation: 'getCatalogue', code: 'network', times: 1 })
    await refreshCatalogue(harness.context, 0)
    expect((await look()).show).toEqual({ kind: 'off' })
  })
})
