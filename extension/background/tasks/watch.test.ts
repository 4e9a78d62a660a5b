import 'fake-indexeddb/auto'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { poshmark } from '#extension/platforms/poshmark/index.ts'
import { type Bench, buildBench } from '#extension/testing/harness.ts'
import { inventoryItem } from '#extension/testing/inventory-item.ts'
import { sampleTask } from '#extension/testing/sample-task.ts'
import { popupHandlers } from '../handlers/popup-handlers.ts'
import { errandHandlers } from '../handlers/tab-task-handlers.ts'
import { watch } from './watch.ts'

let bench: Bench
beforeEach(async () => {
  bench = await buildBench()
})
afterEach(() => bench.close())

const popup = () => popupHandlers(bench.context)

describe('watching for what needs the seller', () => {
  it('the toolbar button shows how many things do, and nothing when there are none', async () => {
    await watch(bench.context)
    expect(bench.shown.badge).toBeNull()
    bench.server.ebay = 'reconnect_required'
    bench.server.tasks.push(sampleTask(), sampleTask({ kind: 'list' }))
    await watch(bench.context)
    expect(bench.shown.badge).toBe(3)
  })

  it('something sold elsewhere is told once, whatever worker lives', async () => {
    const task = sampleTask()
    bench.server.tasks.push(task)
    await watch(bench.context)
    await bench.restart()
    await watch(bench.context)
    expect(bench.shown.notices).toEqual([{ kind: 'one', task }])
  })

  it('two looks at the same time tell it once', async () => {
    bench.server.tasks.push(sampleTask())
    await Promise.all([watch(bench.context), watch(bench.context)])
    expect(bench.shown.notices).toHaveLength(1)
  })

  it('does not notify of a task that the open popup shows', async () => {
    const task = sampleTask()
    bench.server.tasks.push(task)
    await popup()['popup.overview']({ fresh: true })
    await popup()['popup.shown']({ uids: [task.uid] })
    await watch(bench.context)
    expect(bench.shown.notices).toEqual([])
  })

  it('notifies of a task when the popup was closed before it could show it', async () => {
    const task = sampleTask()
    bench.server.tasks.push(task)
    await popup()['popup.overview']({ fresh: true })
    await watch(bench.context)
    expect(bench.shown.notices).toEqual([{ kind: 'one', task }])
  })

  it.each(['list', 'delist'] as const)(
    'something that sold meanwhile is told although a page that reports a %s task saw it first',
    async (kind) => {
      const { origin } = new URL(poshmark.shopUrl('sample'))
      const mine = sampleTask({ kind, platform: 'poshmark', url: `${origin}/listing/1` })
      const item = inventoryItem('ebay', {
        listing_id: '1',
        url: 'https://www.ebay.com/itm/1',
        title: 'Wool coat',
        description: '',
        price_minor: 8_500,
        currency: 'USD',
        state: 'available',
        images: ['https://img.test/0.jpg'],
      })
      bench.server.inventory.push(item)
      bench.server.tasks.push({ ...mine, inventory_item_uid: item.uid })
      await popup()['popup.overview']({ fresh: true })
      const sold = sampleTask({ title: 'Silk dress' })
      bench.server.tasks.push(sold)
      const [page, tab] = [errandHandlers(bench.context), { platform: poshmark, tab: 1 }]
      if (kind === 'list') {
        await page['page.sheet']({ task: mine.uid }, tab)
        await page['page.listed']({ task: mine.uid, listing_id: '1', listing_url: `${origin}/listing/1` }, tab)
      } else {
        await page['page.down']({ task: mine.uid }, tab)
      }
      await watch(bench.context)
      expect(bench.shown.notices).toEqual([{ kind: 'one', task: sold }])
    },
  )

  it('is silent when the seller switched notifications off', async () => {
    await bench.store.set('settings', { notify: false })
    bench.server.tasks.push(sampleTask())
    await watch(bench.context)
    expect([bench.shown.notices, bench.shown.badge]).toEqual([[], 1])
  })

  it('without a network the number stays, and nothing is forgotten', async () => {
    bench.server.tasks.push(sampleTask())
    await watch(bench.context)
    bench.server.faults.push({ operation: 'listTasks', code: 'network', times: 1 })
    await watch(bench.context)
    await watch(bench.context)
    expect([bench.shown.badge, bench.shown.notices.length]).toEqual([1, 1])
  })

  it('a key without the scope for tasks shows everything else, and says so', async () => {
    bench.server.tasks.push(sampleTask())
    for (const key of bench.server.keys.values()) key.scopes = ['platforms:read', 'imports:run', 'inventory:read']
    const overview = await popup()['popup.overview']({ fresh: true })
    expect(overview).toMatchObject({ tasks: null, trouble: null, platforms: expect.any(Array) })
  })

  it('ends with the session', async () => {
    bench.server.keys.clear()
    expect(await watch(bench.context)).toBe(false)
    expect(bench.shown.badge).toBeNull()
  })
})

describe('a task', () => {
  it.each([
    ['done', 'completed'],
    ['dismiss', 'dismissed'],
  ] as const)('said to be %s is %s on the server and gone here at once', async (how, status) => {
    const task = sampleTask()
    bench.server.tasks.push(task, sampleTask())
    await popup()['popup.overview']({ fresh: true })
    await popup()['popup.finishTask']({ uid: task.uid, how })
    expect(bench.server.tasks[0]?.status).toBe(status)
    expect((await popup()['popup.overview']({ fresh: false })).tasks).toHaveLength(1)
    expect(bench.shown.badge).toBe(1)
  })

  it('that the server does not take as done stays', async () => {
    const task = sampleTask()
    bench.server.tasks.push(task)
    await popup()['popup.overview']({ fresh: true })
    bench.server.faults.push({ operation: 'completeTask', code: 'network', times: 1 })
    await expect(popup()['popup.finishTask']({ uid: task.uid, how: 'done' })).rejects.toThrow()
    expect((await popup()['popup.overview']({ fresh: false })).tasks).toHaveLength(1)
  })

  it('more of them than a page are all read', async () => {
    bench.server.tasks.push(...Array.from({ length: 230 }, () => sampleTask()))
    expect((await popup()['popup.overview']({ fresh: true })).tasks).toHaveLength(230)
  })
})
