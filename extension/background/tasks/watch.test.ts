import 'fake-indexeddb/auto'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { poshmark } from '#extension/platforms/poshmark/index.ts'
import { buildHarness, type Harness } from '#extension/testing/harness.ts'
import { inventoryItem } from '#extension/testing/inventory-item.ts'
import { sampleAlert } from '#extension/testing/sample-alert.ts'
import { sampleTask } from '#extension/testing/sample-task.ts'
import { popupHandlers } from '../handlers/popup-handlers.ts'
import { tabTaskHandlers } from '../handlers/tab-task-handlers.ts'
import { watch } from './watch.ts'

let harness: Harness
beforeEach(async () => {
  harness = await buildHarness()
})
afterEach(() => harness.close())

const popup = () => popupHandlers(harness.context)
/** The alert about a listing that only the seller can end. */
const liveAlert = ({ uid, platform, url }: ReturnType<typeof sampleTask>) =>
  sampleAlert({
    ...{ platform, task_uid: uid, listing_url: url },
    progress: { state: 'waiting_for_seller', attempts: 0, next_try_at: null, last_error: null },
  })

describe('the watch', () => {
  it('counts the seller’s tasks on the toolbar button', async () => {
    await watch(harness.context)
    expect(harness.shown.badge).toBeNull()
    harness.server.ebay = 'reconnect_required'
    harness.server.tasks.push(sampleTask(), sampleTask({ kind: 'list' }))
    await watch(harness.context)
    expect(harness.shown.badge).toBe(3)
  })

  it('notifies of a sale once across workers', async () => {
    const task = sampleTask()
    harness.server.tasks.push(task)
    await watch(harness.context)
    await harness.restart()
    await watch(harness.context)
    expect(harness.shown.notifications).toEqual([{ kind: 'one', task }])
  })

  it('notifies once when two watches overlap', async () => {
    harness.server.tasks.push(sampleTask())
    await Promise.all([watch(harness.context), watch(harness.context)])
    expect(harness.shown.notifications).toHaveLength(1)
  })

  it('does not notify of a task that the open popup shows', async () => {
    const task = sampleTask()
    harness.server.tasks.push(task)
    await popup()['popup.overview']({ fresh: true })
    await popup()['popup.shown']({ uids: [task.uid] })
    await watch(harness.context)
    expect(harness.shown.notifications).toEqual([])
  })

  it('notifies of a task that a closed popup did not show', async () => {
    const task = sampleTask()
    harness.server.tasks.push(task)
    await popup()['popup.overview']({ fresh: true })
    await watch(harness.context)
    expect(harness.shown.notifications).toEqual([{ kind: 'one', task }])
  })

  it.each(['list', 'delist'] as const)('notifies of a sale first seen by a %s report', async (kind) => {
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
    harness.server.inventory.push(item)
    harness.server.tasks.push({ ...mine, inventory_item_uid: item.uid })
    await popup()['popup.overview']({ fresh: true })
    const sold = sampleTask({ title: 'Silk dress' })
    harness.server.tasks.push(sold)
    const [page, tab] = [tabTaskHandlers(harness.context), { platform: poshmark, tab: 1 }]
    if (kind === 'list') {
      await page['page.listingDraft']({ task: mine.uid }, tab)
      await page['page.listed']({ task: mine.uid, listing_id: '1', listing_url: `${origin}/listing/1` }, tab)
    } else {
      await page['page.down']({ task: mine.uid }, tab)
    }
    await watch(harness.context)
    expect(harness.shown.notifications).toEqual([{ kind: 'one', task: sold }])
  })

  it('marks the toolbar button as urgent while money is at risk', async () => {
    harness.server.tasks.push(sampleTask({ kind: 'list' }))
    await watch(harness.context)
    expect([harness.shown.badge, harness.shown.isUrgent]).toEqual([1, false])
    const down = sampleTask()
    harness.server.tasks.push(down)
    harness.server.alerts.push(liveAlert(down))
    await watch(harness.context)
    expect([harness.shown.badge, harness.shown.isUrgent]).toEqual([2, true])
  })

  it('hides an alert with the task that it speaks of', async () => {
    const down = sampleTask()
    harness.server.tasks.push(down)
    harness.server.alerts.push(liveAlert(down))
    await popup()['popup.overview']({ fresh: true })
    await popup()['popup.finishTask']({ uid: down.uid, how: 'done' })
    expect(await popup()['popup.overview']({ fresh: false })).toMatchObject({ tasks: [], alerts: [] })
    expect([harness.shown.badge, harness.shown.isUrgent]).toEqual([null, false])
  })

  it('shows no notification if they are off', async () => {
    await harness.store.set('settings', { notify: false })
    harness.server.tasks.push(sampleTask())
    await watch(harness.context)
    expect([harness.shown.notifications, harness.shown.badge]).toEqual([[], 1])
  })

  it('keeps the count without a network', async () => {
    harness.server.tasks.push(sampleTask())
    await watch(harness.context)
    harness.server.faults.push({ operation: 'listTasks', code: 'network', times: 1 })
    await watch(harness.context)
    await watch(harness.context)
    expect([harness.shown.badge, harness.shown.notifications.length]).toEqual([1, 1])
  })

  it('works with a key without the task scope', async () => {
    harness.server.tasks.push(sampleTask())
    for (const key of harness.server.keys.values()) key.scopes = ['platforms:read', 'imports:run', 'inventory:read']
    const overview = await popup()['popup.overview']({ fresh: true })
    expect(overview).toMatchObject({ tasks: null, trouble: null, platforms: expect.any(Array) })
  })

  it('ends with the session', async () => {
    harness.server.keys.clear()
    expect(await watch(harness.context)).toBe(false)
    expect(harness.shown.badge).toBeNull()
  })
})

describe('a task', () => {
  it.each([
    ['done', 'completed'],
    ['dismiss', 'dismissed'],
  ] as const)('finished as %s is %s on the server and hidden here', async (how, status) => {
    const task = sampleTask()
    harness.server.tasks.push(task, sampleTask())
    await popup()['popup.overview']({ fresh: true })
    await popup()['popup.finishTask']({ uid: task.uid, how })
    expect(harness.server.tasks[0]?.status).toBe(status)
    expect((await popup()['popup.overview']({ fresh: false })).tasks).toHaveLength(1)
    expect(harness.shown.badge).toBe(1)
  })

  it('stays if the server rejects its completion', async () => {
    const task = sampleTask()
    harness.server.tasks.push(task)
    await popup()['popup.overview']({ fresh: true })
    harness.server.faults.push({ operation: 'completeTask', code: 'network', times: 1 })
    await expect(popup()['popup.finishTask']({ uid: task.uid, how: 'done' })).rejects.toThrow()
    expect((await popup()['popup.overview']({ fresh: false })).tasks).toHaveLength(1)
  })

  it('is read even beyond the first page', async () => {
    harness.server.tasks.push(...Array.from({ length: 230 }, () => sampleTask()))
    expect((await popup()['popup.overview']({ fresh: true })).tasks).toHaveLength(230)
  })
})
