import 'fake-indexeddb/auto'
import { describe, expect, it } from 'vitest'
import { somePoints } from '#e2e/harness/campaigns/campaign.ts'
import type { PageView } from '#extension/messaging/page-view.ts'
import type { PageAnswer } from '#extension/platforms/port.ts'
import { Fuse, fuseDatabase, Killed, wasKilled } from '#extension/testing/fuse.ts'
import { buildHarness, type Harness } from '#extension/testing/harness.ts'
import { continueFrom, type Snapshot, takeSnapshot } from '#extension/testing/snapshot.ts'
import { buildTab, tabPost } from '#extension/testing/tab.ts'
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

type Message =
  | { kind: 'page.import' | 'page.look' }
  | { kind: 'page.answer'; scrape_id: string; step: number; answer: PageAnswer }

/** A moment between two messages of the page. */
interface Moment {
  /** Operations of the worker until then. */
  touches: number
  snapshot: Snapshot
  message: Message
}

type Tab = ReturnType<typeof buildTab>

/** Starts importing a closet. */
async function beginImport() {
  return { harness: await buildHarness(), tab: buildTab(posts()), message: { kind: 'page.import' } as const }
}

/** Imports a closet and sells some of its posts, so that a check is due. */
async function beginCheck() {
  const harness = await buildHarness()
  const shop = Array.from({ length: 12 }, (_, n) => tabPost(n))
  const tab = buildTab(shop, 5)
  await tab.readOn(pageHandlers(harness.context), await deliver(harness, tab, { kind: 'page.import' }))
  await harness.push()
  for (const n of sold) shop[n] = tabPost(n, { inventory: { status: 'sold_out' } })
  tab.posts.splice(0, tab.posts.length, ...shop)
  harness.now.value += 10 * 60_000
  await harness.restart()
  return { harness, tab, message: { kind: 'page.look' } as const }
}

function deliver({ context }: Harness, tab: Tab, { kind, ...message }: Message): Promise<PageView> {
  const given = { pageContext: tab.pageContext, ...message }
  return pageHandlers(context)[kind](given as never, tab.page) as Promise<PageView>
}

/** Goes on from a message until everything is sent. The fuse kills the worker once; new workers continue. */
async function continueWith(
  harness: Harness,
  tab: Tab,
  message: Message,
  fuse: Fuse,
  beforeMessage = async (_message: Message) => {},
): Promise<void> {
  fuseDatabase(harness.importQueue, fuse)
  const fetch = harness.server.fetch
  Object.assign(harness.server, { fetch: (url: string, init: RequestInit) => fuse.through(() => fetch(url, init)) })

  for (let life = 0; life < 20; life++) {
    try {
      for (;;) {
        await beforeMessage(message)
        // Like the content script, repeat the message until a worker answers it.
        const view = await deliver(harness, tab, message)
        if (view.task) {
          const { scrape_id, step, request } = view.task
          message = { kind: 'page.answer', scrape_id, step, answer: tab.fetch(request) }
        } else {
          message = { kind: 'page.look' }
        }
        await harness.push()
        if (fuse.dead) throw new Killed()
        if (!view.task && !(await hasUnsent(harness.importQueue))) return
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

/**
 * Runs once unharmed, then with the worker killed before and after each operation. Each run begins at the last message
 * before its operation.
 */
async function killedAnywhere(
  begin: () => Promise<{ harness: Harness; tab: Tab; message: Message }>,
  check: (harness: Harness, when: string) => Promise<void>,
): Promise<void> {
  const whole = await begin()
  const counter = new Fuse(Number.POSITIVE_INFINITY, false)
  const moments: Moment[] = []
  await continueWith(whole.harness, whole.tab, whole.message, counter, async (message) => {
    const { touches } = counter
    moments.push({ touches, snapshot: await takeSnapshot(whole.harness), message })
    counter.touches = touches
  })
  await check(whole.harness, 'not killed')
  await whole.harness.close()
  expect(counter.touches).toBeGreaterThan(20)
  for (const at of somePoints(Array.from({ length: counter.touches }, (_, index) => index + 1))) {
    const { touches, snapshot, message } = moments.findLast((moment) => moment.touches < at)!
    for (const after of [false, true]) {
      const harness = await continueFrom(snapshot)
      await continueWith(harness, whole.tab, message, new Fuse(at - touches, after))
      await check(harness, `killed ${after ? 'after' : 'before'} touch ${at} of ${counter.touches}`)
      await harness.close()
    }
  }
}

describe('a worker killed at any point', () => {
  it('sends every listing exactly once', () => killedAnywhere(beginImport, expectExact), 900_000)
})

describe('a worker killed at any point of a check', () => {
  it('reports exactly the real sales', async () => {
    await killedAnywhere(beginCheck, async (harness, when) => {
      // A repeated report changes nothing on the server, but each sale must arrive.
      expect([...new Set(harness.server.sales)].sort(), when).toEqual(sold.map((n) => tabPost(n).id))
      expect(await harness.importQueue.sales.count(), when).toBe(0)
    })
  })
})

async function expectExact(harness: Harness, when: string): Promise<void> {
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
