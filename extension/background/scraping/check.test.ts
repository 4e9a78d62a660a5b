import 'fake-indexeddb/auto'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { buildHarness, type Harness } from '#extension/testing/harness.ts'
import { sampleTask } from '#extension/testing/sample-task.ts'
import { buildShopTab } from '#extension/testing/shop-tab.ts'
import { buildTab, tabPost } from '#extension/testing/tab.ts'
import { pageHandlers } from '../handlers/page-handlers.ts'
import { watch } from '../tasks/watch.ts'

let harness: Harness
beforeEach(async () => {
  harness = await buildHarness()
})
afterEach(() => harness.close())

const minute = 60_000
const hour = 60 * minute
const handlers = () => pageHandlers(harness.context)

describe.each(['poshmark', 'mercari', 'depop'] as const)('missing listings of %s', (slug) => {
  let tab: ReturnType<typeof buildShopTab>
  beforeEach(async () => {
    tab = buildShopTab(slug, { listings: 5, sold: 0 })
    await look('page.import', 0)
  })

  async function look(name: 'page.look' | 'page.import' = 'page.look', afterMs = 6 * minute) {
    harness.now.value += afterMs
    tab.fetched.length = 0
    const view = await tab.go(handlers(), name)
    await harness.push()
    return view
  }
  const idsOf = (...ns: number[]) => ns.map((n) => tab.truth[n]!.listing_id).sort()

  /** Hides every listing but the first. */
  async function hideAllButOne() {
    tab.forSale(1)
    tab.hidden = true
    await look()
    expect(new Set(tab.single()).size).toBe(4)
  }

  it('are not sales and not requested at every visit', async () => {
    await hideAllButOne()
    for (let n = 0; n < 5; n++) {
      await look()
      expect(tab.single()).toEqual([])
    }
    expect(harness.server.sales).toEqual([])
  })

  it('are retried with growing delays, then dropped', async () => {
    await hideAllButOne()
    const asked: number[] = []
    for (let n = 0; n < 24 * 5; n++) {
      await look('page.look', hour)
      if (tab.single().length > 0) asked.push(n)
    }
    await look('page.look', 24 * 90 * hour)
    expect(tab.single()).toEqual([])
    expect(asked.length).toBeGreaterThanOrEqual(3)
    expect(asked.length).toBeLessThanOrEqual(6)
    expect(asked[0]).toBeLessThan(2)
    const gaps = asked.map((at, n) => at - (asked[n - 1] ?? -1))
    expect(gaps).toEqual([...gaps].sort((one, other) => one - other))
  })

  it('are sales if they turn out to be sold', async () => {
    await hideAllButOne()
    tab.hidden = false
    await look('page.look', 2 * hour)
    expect([...harness.server.sales].sort()).toEqual(idsOf(1, 2, 3, 4))
  })

  it('are watched again once they return', async () => {
    await hideAllButOne()
    tab.hidden = false
    tab.forSale(5)
    await look()
    expect([harness.server.sales, tab.single()]).toEqual([[], []])
    tab.forSale(1)
    await look()
    expect([...harness.server.sales].sort()).toEqual(idsOf(1, 2, 3, 4))
  })

  it('are sent by the next import if they returned', async () => {
    await hideAllButOne()
    tab.hidden = false
    tab.forSale(5)
    await look('page.import')
    expect(harness.server.jobs).toHaveLength(2)
    expect(harness.server.jobs[1]!.items.map((item) => item.external_listing_id).sort()).toEqual(idsOf(1, 2, 3, 4))
    tab.forSale(1)
    await look()
    expect([...harness.server.sales].sort()).toEqual(idsOf(1, 2, 3, 4))
  })
})

describe.each(['poshmark', 'mercari', 'depop'] as const)('a listing made on %s since the last import', (slug) => {
  let tab: ReturnType<typeof buildShopTab>
  /** The shop starts with two listings, and later gets four more, some with incomplete entries. */
  beforeEach(() => {
    tab = buildShopTab(slug, { listings: 2, sold: 0 })
  })

  async function look(name: 'page.look' | 'page.import' = 'page.look', afterMs = 6 * minute) {
    harness.now.value += afterMs
    tab.fetched.length = 0
    const view = await tab.go(handlers(), name)
    await harness.push()
    return view
  }
  const idsOf = (...ns: number[]) => ns.map((n) => tab.truth[n]!.listing_id).sort()
  const sales = () => [...harness.server.sales].sort()

  /** Lists item `n` with a form that Hapax filled. */
  async function listByForm(n: number) {
    const { id: uid } = harness.server.createKey('only for its number')
    const { listing_id, url: listing_url } = tab.truth[n]!
    const task = sampleTask({ kind: 'list', platform: slug, listing_id: null, inventory_item_uid: uid })
    harness.server.tasks.push(task)
    await watch(harness.context)
    await harness.store.set('tab_tasks', [
      {
        tab: 1,
        task: task.uid,
        platform: slug,
        title: task.title,
        kind: 'list',
        since: harness.now.value,
        filled: true,
        done: false,
      },
    ])
    await handlers()['page.listed']({ task: task.uid, listing_id, listing_url }, tab.page)
    return task
  }

  it('is reported as sold without having been read', async () => {
    await look('page.import')
    tab.forSale(6, 6)
    await look()
    expect([tab.single(), sales()]).toEqual([[], []])
    tab.forSale(1)
    await look()
    expect(sales()).toEqual(idsOf(1, 2, 3, 4, 5))
    // Each listing was read once, at a human pace.
    expect(new Set(tab.single()).size).toBe(5)
  })

  it('is sent in full by the next import', async () => {
    await look('page.import')
    tab.forSale(6, 6)
    await look()
    await look('page.import')
    const items = harness.server.jobs[1]!.items
    expect(items.map((item) => item.external_listing_id).sort()).toEqual(idsOf(2, 3, 4, 5))
    expect(items.every((item) => item.listing_price && Number(item.listing_price) > 0)).toBe(true)
    expect((await harness.importQueue.listings.toArray()).filter(({ unread }) => unread)).toEqual([])
  })

  it('by Hapax is checked in a shop without import', async () => {
    tab.forSale(6, 6)
    expect((await look()).task).toBeNull()
    await listByForm(4)
    await look()
    expect((await harness.importQueue.listings.toArray()).map(({ listing_id }) => listing_id)).toEqual(idsOf(4))
    tab.forSale(1)
    await look()
    expect(sales()).toEqual(idsOf(4))
    expect(new Set(tab.single()).size).toBe(1)
    expect(harness.server.jobs).toEqual([])
  })

  it('by Hapax is checked on any page when due', async () => {
    tab.forSale(6, 6)
    await look()
    await listByForm(4)
    tab.forSale(1)
    harness.now.value += 59 * minute
    const elsewhere = { ...tab.pageContext, url: `${tab.page.platform.origins[0]}/some/other/page` }
    expect((await tab.go(handlers(), 'page.look', elsewhere)).look_again_ms).toBe(minute)
    harness.now.value += minute
    await tab.go(handlers(), 'page.look', elsewhere)
    await harness.push()
    expect(sales()).toEqual(idsOf(4))
  })

  it('by Hapax is sent by the first import', async () => {
    tab.forSale(6, 6)
    await look()
    await listByForm(4)
    await look()
    await look('page.import')
    expect(harness.server.jobs[0]!.items.map((item) => item.external_listing_id).sort()).toEqual(
      idsOf(0, 1, 2, 3, 4, 5),
    )
  })

  it('by Hapax is dropped some days after its end', async () => {
    tab.forSale(6, 6)
    await look()
    await listByForm(4)
    tab.forSale(1)
    tab.hidden = true
    for (let n = 0; n < 24 * 5; n++) await look('page.look', hour)
    expect((await look('page.look', 24 * 90 * hour)).task).toBeNull()
    expect([tab.fetched, sales()]).toEqual([[], []])
  })

  it('by Hapax keeps the data of an earlier import', async () => {
    tab.forSale(6, 6)
    await look()
    await look('page.import')
    const before = await harness.importQueue.listings.toArray()
    await listByForm(4)
    expect(await harness.importQueue.listings.toArray()).toEqual(before)
    await look('page.import')
    expect(harness.server.jobs).toHaveLength(1)
  })

  it('by Hapax waits for the seller at a challenge', async () => {
    tab.forSale(6, 6)
    await look()
    await listByForm(4)
    tab.forSale(1)
    harness.now.value += 6 * minute
    const first = await handlers()['page.look']({ pageContext: tab.pageContext }, tab.page)
    const { scrape_id, step, request } = first.task!
    const answer = { url: request.url, status: 429, text: '' }
    const stopped = await handlers()['page.answer']({ pageContext: tab.pageContext, scrape_id, step, answer }, tab.page)
    expect(stopped.show).toMatchObject({ kind: 'stopped', reason: 'rate_limited' })
    await look('page.import')
    expect([sales(), harness.server.jobs]).toEqual([idsOf(4), []])
  })
})

describe('a sale among deleted listings', () => {
  async function importedCloset(size: number) {
    const posts = Array.from({ length: size }, (_, n) => tabPost(n))
    const tab = buildTab(posts)
    await tab.readOn(handlers(), await handlers()['page.import']({ pageContext: tab.pageContext }, tab.page))
    await harness.push()
    const visit = async () => {
      harness.now.value += 6 * minute
      tab.fetched.length = 0
      await tab.readOn(handlers(), await handlers()['page.look']({ pageContext: tab.pageContext }, tab.page))
      await harness.push()
      return tab.fetched.filter(({ url }) => /vm-rest\/posts\//.test(url)).length
    }
    return { posts, tab, visit }
  }

  it('is found at the first check after any 100 of them', async () => {
    const { posts, visit } = await importedCloset(160)
    Object.assign(posts[150]!, { inventory: { status: 'sold_out' } })
    posts.splice(0, 100)
    await visit()
    expect(harness.server.sales).toEqual([tabPost(150).id])
  })

  it('is found without reading known missing ones again', async () => {
    const { posts, visit } = await importedCloset(160)
    posts.splice(0, 120)
    await visit()
    Object.assign(posts[30]!, { inventory: { status: 'sold_out' } })
    expect(await visit()).toBe(1)
    expect(harness.server.sales).toEqual([tabPost(150).id])
  })

  it('is found by the second check beyond the read limit', async () => {
    const { posts, tab } = await importedCloset(525)
    for (const post of posts.slice(0, 520)) Object.assign(post, { inventory: { status: 'not_for_sale' } })
    Object.assign(posts[520]!, { inventory: { status: 'sold_out' } })
    const asked = { first: 0, second: 0 }
    const fetch = tab.fetch.bind(tab)
    tab.fetch = (request) => {
      const id = /vm-rest\/posts\/(\w{24})$/.exec(request.url)?.[1]
      if (id) asked[asked.first < 500 ? 'first' : 'second']++
      const trouble = {
        url: request.url,
        status: 200,
        text: '{"error":{"userMessage":"Oops","statusCode":500}}',
      }
      return id && id !== tabPost(520).id ? trouble : fetch(request)
    }
    harness.now.value += 6 * minute
    const after = await tab.readOn(
      handlers(),
      await handlers()['page.look']({ pageContext: tab.pageContext }, tab.page),
    )
    expect([asked, after.task, harness.server.sales]).toEqual([{ first: 500, second: 0 }, null, []])
    harness.now.value += 6 * minute
    // The closet page, the rest of its list, and the listings not requested before.
    await tab.readOn(handlers(), await handlers()['page.look']({ pageContext: tab.pageContext }, tab.page), 2 + 21)
    await harness.push()
    expect(harness.server.sales).toEqual([tabPost(520).id])
  })
})
