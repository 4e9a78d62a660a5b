import 'fake-indexeddb/auto'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type Bench, buildBench } from '../testing/bench.ts'
import { buildStandTab } from '../testing/stand-tab.ts'
import { buildTab, tabPost } from '../testing/tab.ts'
import { pageHandlers } from '../worker/page-handlers.ts'

let bench: Bench
beforeEach(async () => {
  bench = await buildBench()
})
afterEach(() => bench.close())

const minute = 60_000
const hour = 60 * minute
const handlers = () => pageHandlers(bench.context)

describe.each(['poshmark', 'mercari', 'depop'] as const)('listings of %s that are not there any more', (slug) => {
  let tab: ReturnType<typeof buildStandTab>
  beforeEach(async () => {
    tab = buildStandTab(slug, { listings: 5, sold: 0 })
    await look('page.import', 0)
  })

  async function look(name: 'page.look' | 'page.import' = 'page.look', afterMs = 6 * minute) {
    bench.now.value += afterMs
    tab.fetched.length = 0
    const view = await tab.go(handlers(), name)
    await bench.push()
    return view
  }
  const idsOf = (...ns: number[]) => ns.map((n) => tab.truth[n]!.listing_id).sort()

  /** All but the first listing are in no list, and nowhere else. */
  async function hideAllButOne() {
    tab.forSale(1)
    tab.hidden = true
    await look()
    expect(new Set(tab.single()).size).toBe(4)
  }

  it('are no sales, and are not asked for again at every visit', async () => {
    await hideAllButOne()
    for (let n = 0; n < 5; n++) {
      await look()
      expect(tab.single()).toEqual([])
    }
    expect(bench.server.sales).toEqual([])
  })

  it('are looked for some times more, ever more seldom, and then no more', async () => {
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

  it('and turn out to be sold, having been hidden from a buyer who paid, are sales', async () => {
    await hideAllButOne()
    tab.hidden = false
    await look('page.look', 2 * hour)
    expect([...bench.server.sales].sort()).toEqual(idsOf(1, 2, 3, 4))
  })

  it('and come back to what is for sale are known again: one that sells then is a sale', async () => {
    await hideAllButOne()
    tab.hidden = false
    tab.forSale(5)
    await look()
    expect([bench.server.sales, tab.single()]).toEqual([[], []])
    tab.forSale(1)
    await look()
    expect([...bench.server.sales].sort()).toEqual(idsOf(1, 2, 3, 4))
  })

  it('and are there at the next import are sent, whatever the server made of it meanwhile', async () => {
    await hideAllButOne()
    tab.hidden = false
    tab.forSale(5)
    await look('page.import')
    expect(bench.server.jobs).toHaveLength(2)
    expect(bench.server.jobs[1]!.items.map((item) => item.external_listing_id).sort()).toEqual(idsOf(1, 2, 3, 4))
    tab.forSale(1)
    await look()
    expect([...bench.server.sales].sort()).toEqual(idsOf(1, 2, 3, 4))
  })
})

describe('a sale beside listings that were deleted', () => {
  async function importedCloset(size: number) {
    const posts = Array.from({ length: size }, (_, n) => tabPost(n))
    const tab = buildTab(posts)
    await tab.readOn(handlers(), await handlers()['page.import']({ clues: tab.clues }, tab.page))
    await bench.push()
    const visit = async () => {
      bench.now.value += 6 * minute
      tab.fetched.length = 0
      await tab.readOn(handlers(), await handlers()['page.look']({ clues: tab.clues }, tab.page))
      await bench.push()
      return tab.fetched.filter(({ url }) => /vm-rest\/posts\//.test(url)).length
    }
    return { posts, tab, visit }
  }

  it('is seen at the first check, whichever a hundred of them come before it', async () => {
    const { posts, visit } = await importedCloset(160)
    Object.assign(posts[150]!, { inventory: { status: 'sold_out' } })
    posts.splice(0, 100)
    await visit()
    expect(bench.server.sales).toEqual([tabPost(150).id])
  })

  it('is seen at the first check after them, without a look at any of them', async () => {
    const { posts, visit } = await importedCloset(160)
    posts.splice(0, 120)
    await visit()
    Object.assign(posts[30]!, { inventory: { status: 'sold_out' } })
    expect(await visit()).toBe(1)
    expect(bench.server.sales).toEqual([tabPost(150).id])
  })

  it('is seen at the second check at the latest, beside more that cannot be read than one check asks for', async () => {
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
    bench.now.value += 6 * minute
    const after = await tab.readOn(handlers(), await handlers()['page.look']({ clues: tab.clues }, tab.page))
    expect([asked, after.task, bench.server.sales]).toEqual([{ first: 500, second: 0 }, null, []])
    bench.now.value += 6 * minute
    // The page of the closet, the rest of its list, and those that were not asked for before.
    await tab.readOn(handlers(), await handlers()['page.look']({ clues: tab.clues }, tab.page), 2 + 21)
    await bench.push()
    expect(bench.server.sales).toEqual([tabPost(520).id])
  })
})
