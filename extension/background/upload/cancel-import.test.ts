import 'fake-indexeddb/auto'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { buildHarness, type Harness } from '#extension/testing/harness.ts'
import { buildTab, tabPost } from '#extension/testing/tab.ts'
import { pageHandlers } from '../handlers/page-handlers.ts'
import { popupHandlers } from '../handlers/popup-handlers.ts'
import { watch } from '../tasks/watch.ts'

let harness: Harness
beforeEach(async () => {
  harness = await buildHarness()
})
afterEach(() => harness.close())

const popup = () => popupHandlers(harness.context)
const page = () => pageHandlers(harness.context)
const overview = () => popup()['popup.overview']({ fresh: true })
const shop = (n: number) => buildTab(Array.from({ length: n }, (_, at) => tabPost(at)))
const begin = (tab: ReturnType<typeof shop>) => page()['page.import']({ pageContext: tab.pageContext }, tab.page)
const onlyScrape = async () => (await harness.importQueue.scrapes.toArray())[0]!

/** Returns the server's data and the changes requested. */
const onServer = () =>
  JSON.stringify([harness.server.jobs.map((job) => [job, [...job.batches]]), harness.server.inventory])

/** Creates an import that the server refused, because the account has too many shops. */
async function refused() {
  const tab = shop(60)
  harness.server.faults.push({ operation: 'startExtensionImport', code: 'quota_exceeded', times: 1 })
  await tab.readOn(page(), await begin(tab))
  await harness.push()
  await watch(harness.context)
  return tab
}

/** Creates an import that stopped after a part was sent. */
async function stopped() {
  const tab = shop(130)
  const reading = await tab.readOn(page(), await begin(tab), 1)
  await harness.push()
  const further = await tab.readOn(page(), reading, 1)
  tab.odd.push({ status: 403, text: 'px-captcha' })
  await tab.readOn(page(), further)
  await watch(harness.context)
  return tab
}

describe('an import that cannot finish', () => {
  it.each([
    ['refused', refused],
    ['stopped', stopped],
  ] as const)('that was %s loses its unsent data when canceled', async (phase, prepare) => {
    await prepare()
    expect((await overview()).imports).toMatchObject([{ phase }])
    expect([harness.shown.badge, await harness.importQueue.outbox.count()]).not.toContain(0)
    const before = onServer()
    const asked = harness.server.requests.length
    await popup()['popup.cancelImport']({ scrape: (await onlyScrape()).id })
    expect(harness.shown.badge).toBeNull()
    for (const table of [harness.importQueue.scrapes, harness.importQueue.outbox, harness.importQueue.seen])
      expect(await table.count()).toBe(0)
    expect(harness.server.requests.slice(asked).filter(({ method }) => method !== 'GET')).toEqual([])
    await harness.push()
    expect(onServer()).toBe(before)
    await harness.restart()
    expect(await overview()).toMatchObject({ imports: [], unsent: 0 })
  })

  it.each([
    ['refused', refused],
    ['stopped', stopped],
  ] as const)('that was %s and canceled starts over', async (_, prepare) => {
    const tab = await prepare()
    await overview()
    await popup()['popup.cancelImport']({ scrape: (await onlyScrape()).id })
    await tab.readOn(page(), await begin(tab))
    expect((await overview()).imports).toHaveLength(1)
    await harness.push()
    expect((await overview()).imports).toMatchObject([{ phase: 'done' }])
    expect(harness.server.inventory).toHaveLength(tab.posts.length)
  })

  it('leaves nothing when canceled during the upload', async () => {
    const tab = shop(130)
    const further = await tab.readOn(page(), await begin(tab), 2)
    tab.odd.push({ status: 403, text: 'px-captcha' })
    await tab.readOn(page(), further)
    const { fetch } = harness.server
    harness.server.poison.add(tabPost(3).id)
    Object.assign(harness.server, {
      fetch: async (url: string, init: RequestInit) => {
        const answer = await fetch(url, init)
        if (url.endsWith('/batches/'))
          await popup()['popup.cancelImport']({ scrape: (await onlyScrape())?.id ?? tab.pageContext.url })
        return answer
      },
    })
    await harness.push()
    for (const table of [harness.importQueue.scrapes, harness.importQueue.outbox, harness.importQueue.seen])
      expect(await table.count()).toBe(0)
    expect((await overview()).unsent).toBe(0)
  })

  it('stays hidden when canceled while its job opens', async () => {
    const tab = shop(130)
    const further = await tab.readOn(page(), await begin(tab), 2)
    tab.odd.push({ status: 403, text: 'px-captcha' })
    await tab.readOn(page(), further)
    const { id } = await onlyScrape()
    const { fetch } = harness.server
    Object.assign(harness.server, {
      fetch: async (url: string, init: RequestInit) => {
        const answer = await fetch(url, init)
        if (url.endsWith('/extension/imports/')) await popup()['popup.cancelImport']({ scrape: id })
        return answer
      },
    })
    await harness.push()
    expect(harness.server.jobs).toHaveLength(1)
    expect((await overview()).imports).toEqual([])
    for (const table of [harness.importQueue.scrapes, harness.importQueue.outbox, harness.importQueue.seen])
      expect(await table.count()).toBe(0)
  })

  it('still shows its open decisions', async () => {
    const tab = await stopped()
    const job = harness.server.jobs[0]!
    job.items[0]!.status = 'conflict'
    await overview()
    await popup()['popup.cancelImport']({ scrape: (await onlyScrape()).id })
    expect((await overview()).imports).toMatchObject([{ job: job.id, counts: { to_look_at: 1 } }])
    expect(harness.shown.badge).toBe(1)
    job.items[0]!.status = 'skipped'
    expect((await overview()).imports).toEqual([])
    expect(tab.posts).toHaveLength(130)
  })

  it('can be canceled without a network', async () => {
    await refused()
    harness.server.outage = 'network'
    await popup()['popup.cancelImport']({ scrape: (await onlyScrape()).id })
    expect([await harness.importQueue.scrapes.count(), harness.shown.badge]).toEqual([0, null])
  })

  it('is not canceled once it has resumed', async () => {
    const tab = await stopped()
    const { id } = await onlyScrape()
    await begin(tab)
    await popup()['popup.cancelImport']({ scrape: id })
    expect(await onlyScrape()).toMatchObject({ id, state: 'reading' })
    expect((await overview()).imports).toMatchObject([{ phase: 'reading' }])
  })
})

describe('a check that cannot finish', () => {
  it('is hidden with its sales kept', async () => {
    const tab = shop(3)
    await tab.readOn(page(), await begin(tab))
    await harness.push()
    harness.now.value += 10 * 60_000
    tab.posts[0] = tabPost(0, { inventory: { status: 'sold_out' } })
    const checking = await tab.readOn(page(), await page()['page.look']({ pageContext: tab.pageContext }, tab.page), 1)
    tab.odd.push({ status: 403, text: 'px-captcha' })
    await tab.readOn(page(), checking)
    const check = (await harness.importQueue.scrapes.toArray()).find((scrape) => scrape.kind === 'check')!
    expect(check.state).toBe('stopped')
    const sales = await harness.importQueue.sales.count()
    expect((await overview()).imports).toContainEqual(expect.objectContaining({ scrape: check.id, phase: 'stopped' }))
    await popup()['popup.cancelImport']({ scrape: check.id })
    expect((await overview()).imports.map(({ phase }) => phase)).toEqual(['done'])
    expect(harness.shown.badge).toBeNull()
    expect(await harness.importQueue.sales.count()).toBe(sales)
    harness.now.value += 6 * 60_000
    expect((await page()['page.look']({ pageContext: tab.pageContext }, tab.page)).task).toBeNull()
  })
})
