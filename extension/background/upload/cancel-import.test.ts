import 'fake-indexeddb/auto'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type Bench, buildBench } from '#extension/testing/harness.ts'
import { buildTab, tabPost } from '#extension/testing/tab.ts'
import { pageHandlers } from '../handlers/page-handlers.ts'
import { popupHandlers } from '../handlers/popup-handlers.ts'
import { watch } from '../tasks/watch.ts'

let bench: Bench
beforeEach(async () => {
  bench = await buildBench()
})
afterEach(() => bench.close())

const popup = () => popupHandlers(bench.context)
const page = () => pageHandlers(bench.context)
const overview = () => popup()['popup.overview']({ fresh: true })
const shop = (n: number) => buildTab(Array.from({ length: n }, (_, at) => tabPost(at)))
const begin = (tab: ReturnType<typeof shop>) => page()['page.import']({ clues: tab.clues }, tab.page)
const onlyRun = async () => (await bench.cache.runs.toArray())[0]!

/** What the server has, and what it was asked to change. */
const onServer = () => JSON.stringify([bench.server.jobs.map((job) => [job, [...job.batches]]), bench.server.inventory])

/** An import that the server does not take: the account has too many shops. */
async function refused() {
  const tab = shop(60)
  bench.server.faults.push({ operation: 'startExtensionImport', code: 'quota_exceeded', times: 1 })
  await tab.readOn(page(), await begin(tab))
  await bench.push()
  await watch(bench.context)
  return tab
}

/** One that stopped when part of it was sent and part was not. */
async function stopped() {
  const tab = shop(130)
  const reading = await tab.readOn(page(), await begin(tab), 1)
  await bench.push()
  const further = await tab.readOn(page(), reading, 1)
  tab.odd.push({ status: 403, text: 'px-captcha' })
  await tab.readOn(page(), further)
  await watch(bench.context)
  return tab
}

describe('an import that cannot be finished', () => {
  it.each([
    ['refused', refused],
    ['stopped', stopped],
  ] as const)('and is %s is dropped with what it did not send; what the server has stays', async (phase, prepare) => {
    await prepare()
    expect((await overview()).imports).toMatchObject([{ phase }])
    expect([bench.shown.badge, await bench.cache.outbox.count()]).not.toContain(0)
    const before = onServer()
    const asked = bench.server.requests.length
    await popup()['popup.dropImport']({ run: (await onlyRun()).id })
    expect(bench.shown.badge).toBeNull()
    for (const table of [bench.cache.runs, bench.cache.outbox, bench.cache.seen]) expect(await table.count()).toBe(0)
    expect(bench.server.requests.slice(asked).filter(({ method }) => method !== 'GET')).toEqual([])
    await bench.push()
    expect(onServer()).toBe(before)
    await bench.restart()
    expect(await overview()).toMatchObject({ imports: [], unsent: 0 })
  })

  it.each([
    ['refused', refused],
    ['stopped', stopped],
  ] as const)(
    'and was %s is as good as never begun: the next one brings everything and is shown',
    async (_, prepare) => {
      const tab = await prepare()
      await overview()
      await popup()['popup.dropImport']({ run: (await onlyRun()).id })
      await tab.readOn(page(), await begin(tab))
      expect((await overview()).imports).toHaveLength(1)
      await bench.push()
      expect((await overview()).imports).toMatchObject([{ phase: 'done' }])
      expect(bench.server.inventory).toHaveLength(tab.posts.length)
    },
  )

  it('leaves nothing when it is dropped while it is sent', async () => {
    const tab = shop(130)
    const further = await tab.readOn(page(), await begin(tab), 2)
    tab.odd.push({ status: 403, text: 'px-captcha' })
    await tab.readOn(page(), further)
    const { fetch } = bench.server
    bench.server.poison.add(tabPost(3).id)
    Object.assign(bench.server, {
      fetch: async (url: string, init: RequestInit) => {
        const answer = await fetch(url, init)
        if (url.endsWith('/batches/'))
          await popup()['popup.dropImport']({ run: (await onlyRun())?.id ?? tab.clues.url })
        return answer
      },
    })
    await bench.push()
    for (const table of [bench.cache.runs, bench.cache.outbox, bench.cache.seen]) expect(await table.count()).toBe(0)
    expect((await overview()).unsent).toBe(0)
  })

  it('is not in sight any more when it is dropped while its job is opened', async () => {
    const tab = shop(130)
    const further = await tab.readOn(page(), await begin(tab), 2)
    tab.odd.push({ status: 403, text: 'px-captcha' })
    await tab.readOn(page(), further)
    const { id } = await onlyRun()
    const { fetch } = bench.server
    Object.assign(bench.server, {
      fetch: async (url: string, init: RequestInit) => {
        const answer = await fetch(url, init)
        if (url.endsWith('/extension/imports/')) await popup()['popup.dropImport']({ run: id })
        return answer
      },
    })
    await bench.push()
    expect(bench.server.jobs).toHaveLength(1)
    expect((await overview()).imports).toEqual([])
    for (const table of [bench.cache.runs, bench.cache.outbox, bench.cache.seen]) expect(await table.count()).toBe(0)
  })

  it('still shows what the server asks to decide', async () => {
    const tab = await stopped()
    const job = bench.server.jobs[0]!
    job.items[0]!.status = 'conflict'
    await overview()
    await popup()['popup.dropImport']({ run: (await onlyRun()).id })
    expect((await overview()).imports).toMatchObject([{ job: job.id, counts: { to_look_at: 1 } }])
    expect(bench.shown.badge).toBe(1)
    job.items[0]!.status = 'skipped'
    expect((await overview()).imports).toEqual([])
    expect(tab.posts).toHaveLength(130)
  })

  it('is dropped without a network, too', async () => {
    await refused()
    bench.server.mood = 'network'
    await popup()['popup.dropImport']({ run: (await onlyRun()).id })
    expect([await bench.cache.runs.count(), bench.shown.badge]).toEqual([0, null])
  })

  it('is not dropped once it goes on', async () => {
    const tab = await stopped()
    const { id } = await onlyRun()
    await begin(tab)
    await popup()['popup.dropImport']({ run: id })
    expect(await onlyRun()).toMatchObject({ id, state: 'reading' })
    expect((await overview()).imports).toMatchObject([{ phase: 'reading' }])
  })
})

describe('a check that cannot be finished', () => {
  it('is put out of sight, keeps the sales it saw, and is not begun again at every step', async () => {
    const tab = shop(3)
    await tab.readOn(page(), await begin(tab))
    await bench.push()
    bench.now.value += 10 * 60_000
    tab.posts[0] = tabPost(0, { inventory: { status: 'sold_out' } })
    const checking = await tab.readOn(page(), await page()['page.look']({ clues: tab.clues }, tab.page), 1)
    tab.odd.push({ status: 403, text: 'px-captcha' })
    await tab.readOn(page(), checking)
    const check = (await bench.cache.runs.toArray()).find((run) => run.kind === 'check')!
    expect(check.state).toBe('stopped')
    const sales = await bench.cache.sales.count()
    expect((await overview()).imports).toContainEqual(expect.objectContaining({ run: check.id, phase: 'stopped' }))
    await popup()['popup.dropImport']({ run: check.id })
    expect((await overview()).imports.map(({ phase }) => phase)).toEqual(['done'])
    expect(bench.shown.badge).toBeNull()
    expect(await bench.cache.sales.count()).toBe(sales)
    bench.now.value += 6 * 60_000
    expect((await page()['page.look']({ clues: tab.clues }, tab.page)).task).toBeNull()
  })
})
