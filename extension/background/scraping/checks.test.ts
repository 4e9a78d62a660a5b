import 'fake-indexeddb/auto'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { InventoryRow } from '#extension/storage/inventory-cache/row.ts'
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

/** Imports the closet and sends everything. */
async function imported(): Promise<void> {
  await tab.readOn(handlers(), await handlers()['page.import']({ pageContext: tab.pageContext }, tab.page))
  await harness.push()
  tab.fetched.length = 0
  harness.now.value += 1_000
}

/** Sells post `n` on the platform and returns its id. */
function sell(n: number): string {
  Object.assign(posts[n]!, { inventory: { status: 'sold_out' } })
  return tabPost(n).id
}

/** Visits the page and performs the tasks that result. */
async function visit(pageContext = tab.pageContext) {
  const before = { ...tab.pageContext }
  Object.assign(tab.pageContext, pageContext)
  const view = await tab.readOn(handlers(), await look(pageContext))
  Object.assign(tab.pageContext, before)
  await harness.push()
  return view
}

const fetchedPaths = () => tab.fetched.map((request) => new URL(request.url).pathname)

describe('a sale on a platform without an order API', () => {
  it('is found at the next visit and reported once', async () => {
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

  it('reads only active lists and the missing listing', async () => {
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

  it('is found by a scheduled check on any page', async () => {
    await imported()
    const id = sell(7)
    expect(await look(feed())).toMatchObject({ task: null, look_again_ms: 15 * minute })
    harness.now.value += 50 * minute - 1_000
    expect(await look(feed())).toMatchObject({ task: null, look_again_ms: 10 * minute })
    harness.now.value += 10 * minute
    expect(await visit(feed())).toMatchObject({ show: { kind: 'nothing' } })
    expect(harness.server.sales).toEqual([id])
  })

  it('is checked at the seller’s interval or visits only', async () => {
    await imported()
    sell(7)
    await harness.store.set('settings', { pace_ms: 1_000, notify: true, check_minutes: 0 })
    harness.now.value += 600 * minute
    expect(await look(feed())).toMatchObject({ task: null, look_again_ms: null })
    await harness.store.set('settings', { pace_ms: 1_000, notify: true, check_minutes: 15 })
    expect((await look(feed())).task).not.toBeNull()
  })

  it('is found on the listing’s own page', async () => {
    await imported()
    const id = sell(7)
    harness.now.value += 6 * minute
    expect(await visit(at(`https://poshmark.com/listing/Thing-7-${id}`))).toMatchObject({ show: { kind: 'nothing' } })
    expect(harness.server.sales).toEqual([id])
    expect(fetchedPaths()).toEqual([`/vm-rest/posts/${id}`])
    await visit(at(`https://poshmark.com/listing/Other-${'f'.repeat(24)}`))
    expect(fetchedPaths()).toHaveLength(1)
  })

  it('is not checked without an import or a session', async () => {
    harness.now.value += 600 * minute
    expect((await look()).task).toBeNull()
    await imported()
    harness.now.value += 600 * minute
    const nobody = { ...tab.pageContext, cookies: {} }
    expect((await look(nobody)).task).toBeNull()
    await harness.store.clear()
    expect((await look()).task).toBeNull()
  })

  it('is not checked during an import', async () => {
    await imported()
    const first = await handlers()['page.import']({ pageContext: tab.pageContext }, tab.page)
    await tab.readOn(handlers(), first, 1)
    harness.now.value += 600 * minute
    await look()
    expect((await harness.importQueue.scrapes.toArray()).map(({ kind }) => kind)).toEqual(['import', 'import'])
  })

  it('is not inferred from a missing or ended listing', async () => {
    await imported()
    Object.assign(posts[3]!, { inventory: { status: 'not_for_sale' } })
    posts.splice(10, 1)
    harness.now.value += 6 * minute
    expect((await visit()).show).toEqual({ kind: 'offer', total: 60 })
    expect(harness.server.sales).toEqual([])
  })

  it('stays queued until the server has it', async () => {
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
  ] as const)('stops at %s and is not retried at every click', async (reason, odd) => {
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
  })

  it('is not guessed from an unreadable list', async () => {
    await imported()
    sell(41)
    harness.now.value += 6 * minute
    tab.odd.push({ text: '<html></html>' }, { text: '{"posts":[]}' })
    expect((await visit()).show).toMatchObject({ kind: 'stopped', reason: 'page_changed' })
    expect([tab.fetched.length, harness.server.sales]).toEqual([2, []])
  })
})

/** Has a buyer hold or own the item of post `n`, as far as the inventory cache knows. */
async function hold(n: number, state = { item: 'reserved', listing: 'reserved' }) {
  const { id: listing_id } = tabPost(n)
  const url = `https://poshmark.com/listing/${listing_id}`
  const rows = await harness.inventory.rows.toArray()
  const row = {
    uid: 'inv_held',
    state: state.item,
    listings: [{ platform: 'poshmark', listing_id, url, state: state.listing }],
  }
  await harness.inventory.rows.put({ ...rows[0]!, ...row } as InventoryRow)
  return listing_id
}

describe('a listing that holds its item', () => {
  it('is reported by a check whose list shows it on offer, with the time of its reading', async () => {
    await imported()
    const id = await hold(41)
    harness.now.value += 6 * minute
    const before = harness.now.value
    await visit()
    expect(harness.server.onOffer).toEqual([{ listing_id: id, seen_at: new Date(before).toISOString() }])
    expect([harness.server.sales, await harness.importQueue.sales.count()]).toEqual([[], 0])
  })

  it('is reported by a check of its own page', async () => {
    await imported()
    const id = await hold(7)
    harness.now.value += 6 * minute
    await visit(at(`https://poshmark.com/listing/Thing-7-${id}`))
    expect(harness.server.onOffer).toMatchObject([{ listing_id: id }])
  })

  it('is reported as sold where its page shows that', async () => {
    await imported()
    const id = await hold(41)
    sell(41)
    harness.now.value += 6 * minute
    await visit()
    expect([harness.server.sales, harness.server.onOffer]).toEqual([[id], []])
  })

  it('is sent by an import although it is unchanged, with the time since when the shop was read', async () => {
    await imported()
    const id = await hold(41)
    const began = harness.now.value
    await imported()
    expect(harness.server.jobs[1]!.items.map((item) => item.external_listing_id)).toEqual([id])
    const [, opened] = harness.server.requests.filter(({ operation }) => operation === 'startExtensionImport')
    expect(opened?.body).toMatchObject({ reading_since: new Date(began).toISOString() })
  })
})

describe('a listing that is not on offer any more', () => {
  it.each([
    ['is not found', () => posts.splice(41, 1)],
    ['shows it as not for sale', () => Object.assign(posts[41]!, { inventory: { status: 'not_for_sale' } })],
  ])('is reported as ended, and not as sold, where its page %s', async (_, end) => {
    await imported()
    end()
    harness.now.value += 6 * minute
    await visit()
    expect([harness.server.sales, harness.server.ended]).toEqual([[], [tabPost(41).id]])
    harness.now.value += 6 * minute
    await visit()
    expect(await harness.importQueue.sales.count()).toBe(0)
  })

  it('is reported when it is on offer although it was taken down for a buyer', async () => {
    await imported()
    const id = await hold(41, { item: 'sold', listing: 'removed' })
    harness.now.value += 6 * minute
    await visit()
    expect(harness.server.onOffer).toMatchObject([{ listing_id: id }])
  })
})

describe('a second import', () => {
  it('sends only changes and opens no job without any', async () => {
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

  it('resends listings that the server failed', async () => {
    harness.server.failing.add(tabPost(2).id)
    await imported()
    harness.server.failing.clear()
    await imported()
    expect(harness.server.inventory.flatMap((item) => item.record.channel_listings ?? [])).toHaveLength(60)
  })
})

describe('an unchanged listing is sent again', () => {
  /** Returns ids that imports after the first one sent. */
  const sentAgain = () =>
    harness.server.jobs.slice(1).flatMap((job) => job.items.map((item) => item.external_listing_id))

  /** Sells post `n` elsewhere and syncs the task to end it here. */
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
      'completed in the popup',
      (uid: string) => popupHandlers(harness.context)['popup.finishTask']({ uid, how: 'done' }),
    ],
    [
      'dismissed in the popup',
      (uid: string) => popupHandlers(harness.context)['popup.finishTask']({ uid, how: 'dismiss' }),
    ],
    ['completed on its page', (uid: string) => handlers()['page.down']({ task: uid }, tab.page)],
    [
      'ended in another browser',
      async () => {
        harness.server.tasks[0]!.status = 'dismissed'
        await watch(harness.context)
      },
    ],
  ])('when its end task was %s', async (_how, end) => {
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

  it('when a worker was killed after its end task closed', async () => {
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

  it('when it was sold and returns after a cancellation', async () => {
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

describe('a platform that the operator turned off', () => {
  it('is not imported', async () => {
    harness.server.readingOff.add('poshmark')
    const view = await handlers()['page.import']({ pageContext: tab.pageContext }, tab.page)
    expect(view).toMatchObject({ show: { kind: 'off' }, task: null })
    expect(await harness.importQueue.scrapes.count()).toBe(0)
  })

  it('pauses a running import until it is on again', async () => {
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

  it('is not checked, unlike other platforms', async () => {
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

  it('is on for a new version until the server says no', async () => {
    harness.server.readingOff.add('poshmark')
    await refreshCatalogue(harness.context, 0)
    expect((await look()).show).toEqual({ kind: 'off' })
    harness.context.version = '0.2.0'
    expect((await look()).show).toEqual({ kind: 'offer', total: 60 })
  })

  it('keeps its state while the server is unreachable', async () => {
    harness.server.readingOff.add('poshmark')
    await refreshCatalogue(harness.context, 0)
    harness.now.value += 60 * minute
    harness.server.faults.push({ operation: 'getCatalogue', code: 'network', times: 1 })
    await refreshCatalogue(harness.context, 0)
    expect((await look()).show).toEqual({ kind: 'off' })
  })
})
