import 'fake-indexeddb/auto'
import { describe, expect, it } from 'vitest'
import { Fuse, fuseDatabase, Killed, wasKilled } from '#extension/testing/fuse.ts'
import { buildHarness, type Harness } from '#extension/testing/harness.ts'
import { buildTab, tabPost } from '#extension/testing/tab.ts'
import { pointsOfTheDay } from '#shared/testing/campaign.ts'
import { pageHandlers } from './handlers/page-handlers.ts'
import { hasUnsent } from './upload/push.ts'

const listings = 70
/** Includes an incomplete, a changed and a SKU listing, to cover every path. */
const posts = () =>
  Array.from({ length: listings }, (_, n) => {
    if (n === 20) return tabPost(n, { price_amount: undefined })
    return tabPost(n, n % 30 === 7 ? { seller_private_info: { sku: `S-${n}` } } : {})
  })

/** Posts that sell between import and check. */
const sold = [2, 9]

/** Imports a closet with the worker killed at the `at`-th operation, and continues with new workers. */
async function importKilledAt(at: number, after: boolean): Promise<{ harness: Harness; touches: number }> {
  const harness = await buildHarness()
  const tab = buildTab(posts())
  return continueKilledAt(harness, tab, 'page.import', at, after)
}

/** Checks an imported closet for sales with the worker killed in the same way. */
async function checkKilledAt(at: number, after: boolean): Promise<{ harness: Harness; touches: number }> {
  const harness = await buildHarness()
  const shop = Array.from({ length: 12 }, (_, n) => tabPost(n))
  const tab = buildTab(shop, 5)
  await tab.readOn(
    pageHandlers(harness.context),
    await pageHandlers(harness.context)['page.import']({ pageContext: tab.pageContext }, tab.page),
  )
  await harness.push()
  for (const n of sold) shop[n] = tabPost(n, { inventory: { status: 'sold_out' } })
  tab.posts.splice(0, tab.posts.length, ...shop)
  harness.now.value += 10 * 60_000
  await harness.restart()
  return continueKilledAt(harness, tab, 'page.look', at, after)
}

async function continueKilledAt(
  harness: Harness,
  tab: ReturnType<typeof buildTab>,
  first: 'page.import' | 'page.look',
  at: number,
  after: boolean,
): Promise<{ harness: Harness; touches: number }> {
  const fuse = new Fuse(at, after)
  fuseDatabase(harness.importQueue, fuse)
  const fetch = harness.server.fetch
  Object.assign(harness.server, { fetch: (url: string, init: RequestInit) => fuse.through(() => fetch(url, init)) })

  let next: () => Promise<unknown> = () =>
    pageHandlers(harness.context)[first]({ pageContext: tab.pageContext }, tab.page)
  for (let life = 0; life < 20; life++) {
    try {
      for (;;) {
        // Like the content script, repeat the message until a worker answers it.
        const view = (await next()) as Awaited<ReturnType<ReturnType<typeof pageHandlers>['page.look']>>
        if (view.task) {
          const { scrape_id, step, request } = view.task
          const answer = tab.fetch(request)
          next = () =>
            pageHandlers(harness.context)['page.answer'](
              { pageContext: tab.pageContext, scrape_id, step, answer },
              tab.page,
            )
        } else {
          next = () => pageHandlers(harness.context)['page.look']({ pageContext: tab.pageContext }, tab.page)
        }
        await harness.push()
        if (fuse.dead) throw new Killed()
        if (!view.task && !(await hasUnsent(harness.importQueue))) return { harness, touches: fuse.touches }
      }
    } catch (error) {
      if (!wasKilled(error)) throw error
      await harness.restart()
      fuse.dead = false
      fuseDatabase(harness.importQueue, fuse)
    }
  }
  throw new Error('The import does not end.')
}

describe('a worker killed at any point', () => {
  it('sends every listing exactly once', async () => {
    const whole = await importKilledAt(Number.POSITIVE_INFINITY, false)
    expectExact(whole.harness, 'not killed')
    await whole.harness.close()
    expect(whole.touches).toBeGreaterThan(40)
    for (const at of pointsOfTheDay(Array.from({ length: whole.touches }, (_, index) => index + 1))) {
      for (const after of [false, true]) {
        const { harness } = await importKilledAt(at, after)
        expectExact(harness, `killed ${after ? 'after' : 'before'} touch ${at}`)
        await harness.close()
      }
    }
  }, 900_000)
})

describe('a worker killed at any point of a check', () => {
  it('reports exactly the real sales', async () => {
    const whole = await checkKilledAt(Number.POSITIVE_INFINITY, false)
    await whole.harness.close()
    expect(whole.touches).toBeGreaterThan(20)
    for (const at of pointsOfTheDay(Array.from({ length: whole.touches }, (_, index) => index + 1))) {
      for (const after of [false, true]) {
        const { harness } = await checkKilledAt(at, after)
        const when = `killed ${after ? 'after' : 'before'} touch ${at}`
        // A repeated report changes nothing on the server, but each sale must arrive.
        expect([...new Set(harness.server.sales)].sort(), when).toEqual(sold.map((n) => tabPost(n).id))
        expect(await harness.importQueue.sales.count(), when).toBe(0)
        await harness.close()
      }
    }
  }, 900_000)
})

function expectExact(harness: Harness, when: string): void {
  const ids = harness.server.inventory
    .flatMap((item) => item.record.channel_listings ?? [])
    .map((one) => one.listing_id)
  expect(new Set(ids).size, when).toBe(listings - 1)
  expect(ids, when).toHaveLength(listings - 1)
  const items = harness.server.jobs.flatMap((job) => job.items)
  expect(
    items.filter((item) => item.status === 'failed').map((item) => item.error_message),
    when,
  ).toEqual(['page changed: price (price_amount.val was not understood)'])
  expect(items, when).toHaveLength(listings)
  expect(
    harness.server.jobs.map((job) => job.status),
    when,
  ).toEqual(['completed'])
}
