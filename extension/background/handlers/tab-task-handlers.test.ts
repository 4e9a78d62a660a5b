import 'fake-indexeddb/auto'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { depop } from '#extension/platforms/depop/index.ts'
import { mercari } from '#extension/platforms/mercari/index.ts'
import { poshmark } from '#extension/platforms/poshmark/index.ts'
import { buildHarness, type Harness } from '#extension/testing/harness.ts'
import { inventoryItem } from '#extension/testing/inventory-item.ts'
import { sampleTask } from '#extension/testing/sample-task.ts'
import type { ExtensionTask } from '#shared/contract/selling/tasks.ts'
import { watch } from '../tasks/watch.ts'
import type { PageSender } from './answer.ts'
import { popupHandlers } from './popup-handlers.ts'
import { openTabTask, sendReports, tabTaskHandlers } from './tab-task-handlers.ts'

let harness: Harness
beforeEach(async () => {
  harness = await buildHarness()
})
afterEach(() => harness.close())

const handlers = () => tabTaskHandlers(harness.context)
const here: PageSender = { platform: poshmark, tab: 7 }
const listed = {
  listing_id: '65f000000000000000000001',
  listing_url: 'https://poshmark.com/listing/65f000000000000000000001',
}

/** Creates a coat and the task to list it on Poshmark, and syncs them. */
async function listTask(changes: Partial<ExtensionTask> = {}): Promise<ExtensionTask> {
  const item = inventoryItem('ebay', {
    listing_id: '1',
    url: 'https://www.ebay.com/itm/1',
    title: 'Wool coat',
    description: 'Warm.',
    price_minor: 8_500,
    currency: 'USD',
    state: 'available',
    images: ['https://img.test/0.jpg', 'https://img.test/1.jpg'],
  })
  harness.server.inventory.push(item)
  const task = sampleTask({
    kind: 'list',
    platform: 'poshmark',
    url: 'https://poshmark.com/create-listing',
    listing_id: null,
    inventory_item_uid: item.uid,
    title: 'Wool coat',
    ...changes,
  })
  harness.server.tasks.push(task)
  await watch(harness.context)
  return task
}

async function delistTask(changes: Partial<ExtensionTask> = {}): Promise<ExtensionTask> {
  const task = sampleTask({ platform: 'poshmark', listing_id: listed.listing_id, url: listed.listing_url, ...changes })
  harness.server.tasks.push(task)
  await watch(harness.context)
  return task
}

describe('tasks for a page', () => {
  it('are those of its own platform', async () => {
    const mine = await listTask()
    const down = await delistTask()
    await delistTask({ platform: 'depop' })
    const tabTasks = await handlers()['page.tabTasks']({}, here)
    expect(tabTasks.list.map(({ task }) => task)).toEqual([mine.uid])
    expect(tabTasks.down.map(({ task }) => task)).toEqual([down.uid])
    const elsewhere = await handlers()['page.tabTasks']({}, { platform: mercari, tab: 7 })
    expect(elsewhere).toMatchObject({ list: [], down: [], current: null })
  })

  it('include one that the server has made since, once the page asks', async () => {
    await watch(harness.context)
    const down = sampleTask({ platform: 'poshmark', listing_id: listed.listing_id, url: listed.listing_url })
    harness.server.tasks.push(down)
    expect((await handlers()['page.tabTasks']({}, here)).down).toEqual([])
    expect(await handlers()['page.newTasks']({}, here)).toBe(true)
    expect((await handlers()['page.tabTasks']({}, here)).down.map(({ task }) => task)).toEqual([down.uid])
    expect(await handlers()['page.newTasks']({}, here)).toBe(false)
  })

  it('are none while signed out', async () => {
    await listTask()
    await popupHandlers(harness.context)['popup.signOut']({})
    expect(await handlers()['page.tabTasks']({}, here)).toMatchObject({ list: [], down: [] })
  })

  it.each(['page.listingDraft', 'page.pressed', 'page.down'] as const)(
    'refuse %s for another platform’s task',
    async (name) => {
      const task =
        name === 'page.listingDraft' ? await listTask({ platform: 'depop' }) : await delistTask({ platform: 'depop' })
      await expect(handlers()[name]({ task: task.uid }, here)).rejects.toMatchObject({ code: 'not_found' })
      expect(harness.server.tasks.every(({ status }) => status === 'open')).toBe(true)
      expect(await handlers()['page.tabTasks']({}, { platform: depop, tab: 7 })).toMatchObject({ current: null })
    },
  )

  it('accept pictures and reports only from the task’s tab', async () => {
    const { uid: task } = await listTask()
    await handlers()['page.listingDraft']({ task }, here)
    const other = { ...here, tab: 8 }
    await expect(handlers()['page.picture']({ task, n: 0 }, other)).rejects.toMatchObject({ code: 'not_found' })
    await expect(handlers()['page.listed']({ task, ...listed }, other)).rejects.toMatchObject({ code: 'not_found' })
    await expect(
      handlers()['page.listed']({ task, ...listed, listing_url: 'https://evil.test/listing/1' }, here),
    ).rejects.toMatchObject({ code: 'refused_message' })
    expect(harness.server.selling.reported).toEqual([])
    expect(await handlers()['page.picture']({ task, n: 1 }, here)).toMatchObject({ type: 'image/png' })
  })
})

describe('an opened task', () => {
  it('is filled in once in its own tab', async () => {
    const { uid, url } = await listTask()
    await openTabTask(harness.context, uid)
    expect(harness.shown.tabs).toEqual([url])
    const tab = { platform: poshmark, tab: 1 }
    const { current } = await handlers()['page.tabTasks']({}, tab)
    expect(current).toMatchObject({ task: uid, filled: false })
    await handlers()['page.listingDraft']({ task: uid }, tab)
    await handlers()['page.filled']({ task: uid }, tab)
    await harness.restart()
    expect((await handlers()['page.tabTasks']({}, tab)).current).toMatchObject({ filled: true })
    expect((await handlers()['page.tabTasks']({}, here)).current).toBeNull()
  })

  it('opens no page if its URL is not on the web', async () => {
    const { uid } = await listTask({ url: 'javascript:alert(1)' })
    await expect(openTabTask(harness.context, uid)).rejects.toMatchObject({ code: 'not_found' })
    expect(harness.shown.tabs).toEqual([])
  })

  it('expires after a day', async () => {
    const { uid } = await listTask()
    await openTabTask(harness.context, uid)
    harness.now.value += 24 * 60 * 60_000
    expect((await handlers()['page.tabTasks']({}, { platform: poshmark, tab: 1 })).current).toBeNull()
  })
})

describe('the task after one that is done', () => {
  const onDepop = { platform: 'depop', url: 'https://www.depop.com/products/create/' } as const
  const nextHere = async () => (await handlers()['page.tabTasks']({}, here)).done?.next

  async function list(task: string): Promise<void> {
    await handlers()['page.listingDraft']({ task }, here)
    await handlers()['page.listed']({ task, ...listed }, here)
  }

  it('is the same item’s, then the oldest', async () => {
    const older = await listTask({ ...onDepop, title: 'Silk scarf' })
    const { uid: task, inventory_item_uid } = await listTask()
    const same = await listTask({ ...onDepop, inventory_item_uid })
    await listTask({ title: 'Boots' })
    await delistTask({ platform: 'depop' })
    await list(task)
    expect(await nextHere()).toEqual({ task: same.uid, title: 'Wool coat', platform: 'Depop' })
    same.status = 'dismissed'
    await watch(harness.context)
    expect(await nextHere()).toEqual({ task: older.uid, title: 'Silk scarf', platform: 'Depop' })
  })

  it('of a take-down is a take-down', async () => {
    const { uid: task } = await delistTask()
    await listTask(onDepop)
    const next = await delistTask({ platform: 'depop', title: 'Boots' })
    await handlers()['page.down']({ task }, here)
    expect(await nextHere()).toEqual({ task: next.uid, title: 'Boots', platform: 'Depop' })
  })

  it('is none that is under way in another tab', async () => {
    const { uid: task } = await listTask()
    const next = await listTask(onDepop)
    await openTabTask(harness.context, next.uid)
    await list(task)
    expect(await nextHere()).toBeNull()
    harness.closed.add(1)
    expect(await nextHere()).toMatchObject({ task: next.uid })
  })

  it('opens in a tab of its own, where its form is filled in', async () => {
    const { uid: task } = await listTask()
    const next = await listTask(onDepop)
    await list(task)
    // The panel stays longer than new pages show it.
    harness.now.value += 10 * 60_000
    expect(await handlers()['page.next']({ task: next.uid }, here)).toBeNull()
    expect(harness.shown.tabs).toEqual([onDepop.url])
    const tab = { platform: depop, tab: 1 }
    expect((await handlers()['page.tabTasks']({}, tab)).current).toMatchObject({ task: next.uid, filled: false })
    await expect(handlers()['page.next']({ task: next.uid }, here)).rejects.toMatchObject({ code: 'not_found' })
    expect(harness.shown.tabs).toHaveLength(1)
  })

  it('opens by itself once the listing of the form was seen', async () => {
    const { uid: task } = await listTask()
    const next = await listTask(onDepop)
    await listTask({ title: 'Boots' })
    await handlers()['page.listingDraft']({ task }, here)
    await handlers()['page.listed']({ task, ...listed, leads_on: true }, here)
    expect(harness.shown.tabs).toEqual([onDepop.url])
    expect((await handlers()['page.tabTasks']({}, { platform: depop, tab: 1 })).current?.task).toBe(next.uid)
    // The tab still says what was listed, and offers none besides the one that is open.
    expect((await handlers()['page.tabTasks']({}, here)).done).toMatchObject({ task, next: null })
  })

  it.each(['the extension', 'the web app'])(
    'takes the tab that %s opened, so that twenty forms are one',
    async (who) => {
      const { uid: task } = await listTask()
      const address = `https://poshmark.com/create-listing#${task}`
      if (who === 'the web app') harness.shown.tabs.push(address)
      else await openTabTask(harness.context, task)
      const page = { platform: poshmark, tab: 1, url: harness.shown.tabs[0]! }
      for (const name of ['Boots', 'Scarf', 'Hat']) {
        const next = await listTask({ title: name })
        const { current } = await handlers()['page.tabTasks']({}, page)
        await handlers()['page.listingDraft']({ task: current?.task ?? task }, page)
        // The marketplace shows the new listing.
        harness.shown.tabs[0] = listed.listing_url
        const shown = { ...page, url: listed.listing_url }
        await handlers()['page.listed']({ task: current?.task ?? task, ...listed, leads_on: true }, shown)
        expect(harness.shown.tabs).toEqual(['https://poshmark.com/create-listing'])
        expect((await handlers()['page.tabTasks']({}, page)).current?.task).toBe(next.uid)
      }
    },
  )

  it.each([
    ['gone elsewhere in it', true, 'https://poshmark.com/news'],
    ['opened it themselves', false, listed.listing_url],
  ])('leaves the tab of sellers who have %s', async (_, isOpened, url) => {
    const { uid: task } = await listTask()
    const next = await listTask(onDepop)
    if (isOpened) await openTabTask(harness.context, task)
    else harness.shown.tabs.push('https://poshmark.com/create-listing')
    const page = { platform: poshmark, tab: 1, url: listed.listing_url }
    await handlers()['page.listingDraft']({ task }, page)
    harness.shown.tabs[0] = url
    await handlers()['page.listed']({ task, ...listed, leads_on: true }, page)
    expect(harness.shown.tabs).toEqual([url, onDepop.url])
    expect((await handlers()['page.tabTasks']({}, { platform: depop, tab: 2 })).current?.task).toBe(next.uid)
    expect((await handlers()['page.tabTasks']({}, page)).done).toMatchObject({ task })
  })

  it.each([
    ['could not be told to the server', 'completeTask'],
    ['is not to be opened', null],
  ])('is offered where the last one %s', async (_, fails) => {
    const { uid: task } = await listTask()
    const next = await listTask(onDepop)
    await handlers()['page.listingDraft']({ task }, here)
    if (fails) harness.server.faults.push({ operation: 'completeTask', code: 'network', times: 1 })
    await handlers()['page.listed']({ task, ...listed, leads_on: fails !== null }, here)
    expect(harness.shown.tabs).toEqual([])
    expect(await nextHere()).toMatchObject({ task: next.uid })
  })

  it('opens only from the tab of the one that is done', async () => {
    const { uid: task } = await listTask()
    const next = await listTask(onDepop)
    const open = (page: PageSender) => handlers()['page.next']({ task: next.uid }, page)
    await handlers()['page.listingDraft']({ task }, here)
    await expect(open(here)).rejects.toMatchObject({ code: 'not_found' })
    await handlers()['page.listed']({ task, ...listed }, here)
    for (const page of [
      { ...here, tab: 8 },
      { ...here, platform: mercari },
    ])
      await expect(open(page)).rejects.toMatchObject({ code: 'not_found' })
    expect(harness.shown.tabs).toEqual([])
  })

  it('gives way to another if it is over', async () => {
    const { uid: task } = await listTask()
    const next = await listTask(onDepop)
    await list(task)
    next.status = 'dismissed'
    await watch(harness.context)
    await expect(handlers()['page.next']({ task: next.uid }, here)).rejects.toMatchObject({ code: 'not_found' })
    expect(await nextHere()).toBeNull()
  })
})

describe('a report of a new listing', () => {
  it('completes its task once when repeated', async () => {
    const { uid: task } = await listTask()
    await handlers()['page.listingDraft']({ task }, here)
    expect(await handlers()['page.listed']({ task, ...listed }, here)).toBe('sent')
    expect(harness.server.selling.reported).toEqual([{ task, ...listed }])
    const { done, list } = await handlers()['page.tabTasks']({}, here)
    const is = { task, kind: 'list', title: 'Wool coat', kept: false, refused: false, again: null, next: null }
    expect({ done, list }).toEqual({ done: is, list: [] })
    expect(harness.shown.notifications).toEqual([])
  })

  it('survives an unreachable server and a killed worker', async () => {
    const { uid: task } = await listTask()
    await handlers()['page.listingDraft']({ task }, here)
    harness.server.faults.push({ operation: 'completeTask', code: 'network', times: 2 })
    expect(await handlers()['page.listed']({ task, ...listed }, here)).toBe('queued')
    expect((await handlers()['page.tabTasks']({}, here)).done).toMatchObject({ task, kept: true })
    await harness.restart()
    await expect(sendReports(harness.context)).rejects.toThrow()
    expect(harness.server.selling.reported).toEqual([])
    await sendReports(harness.context)
    await sendReports(harness.context)
    expect(harness.server.selling.reported).toEqual([{ task, ...listed }])
  })

  it('is sent once after a lost answer', async () => {
    const { uid: task } = await listTask()
    await handlers()['page.listingDraft']({ task }, here)
    harness.server.faults.push({ operation: 'completeTask', code: 'network', times: 1 })
    await handlers()['page.listed']({ task, ...listed }, here)
    expect(await handlers()['page.listed']({ task, ...listed }, here)).toBe('sent')
    expect(harness.server.selling.reported).toEqual([{ task, ...listed }])
  })

  it('is dropped and shown when the server rejects it', async () => {
    const { uid: task } = await listTask()
    await handlers()['page.listingDraft']({ task }, here)
    harness.server.tasks[0]!.status = 'completed'
    harness.server.faults.push({ operation: 'completeTask', code: 'conflict', times: 1 })
    expect(await handlers()['page.listed']({ task, ...listed }, here)).toBe('sent')
    expect(await harness.store.get('reports')).toEqual([])
    expect((await handlers()['page.tabTasks']({}, here)).done).toMatchObject({ task, kept: false, refused: true })
  })
})

describe('the reported listing of a task', () => {
  it('is known to the next form for a day', async () => {
    const { uid: first } = await listTask()
    await handlers()['page.listingDraft']({ task: first }, here)
    await handlers()['page.listed']({ task: first, ...listed }, here)
    const { uid: task } = await listTask()
    const knownOf = async () => {
      await handlers()['page.listingDraft']({ task }, here)
      return (await handlers()['page.tabTasks']({}, here)).current?.known
    }
    await harness.restart()
    expect(await knownOf()).toEqual([listed.listing_id])
    const { uid: elsewhere } = await listTask({ platform: 'depop' })
    await handlers()['page.listingDraft']({ task: elsewhere }, { platform: depop, tab: 9 })
    expect((await handlers()['page.tabTasks']({}, { platform: depop, tab: 9 })).current?.known).toEqual([])
    harness.now.value += 25 * 60 * 60_000
    await handlers()['page.listingDraft']({ task: elsewhere }, { platform: depop, tab: 9 })
    await handlers()['page.listed'](
      { task: elsewhere, listing_id: '77', listing_url: 'https://www.depop.com/products/a-b/' },
      { platform: depop, tab: 9 },
    )
    expect(await knownOf()).toEqual([])
  })
})

describe('an item sold while its form is filled in', () => {
  const sell = () => harness.server.selling.sell(harness.server.inventory[0]!)
  const again = { listing_id: listed.listing_id, url: listed.listing_url, reason: 'It was sold while you listed it' }

  it.each([
    ['before the extension knows', false],
    ['after the extension knows', true],
  ])('is reported when listed %s, and must end', async (_, hears) => {
    const { uid: task } = await listTask()
    await handlers()['page.listingDraft']({ task }, here)
    await handlers()['page.filled']({ task }, here)
    sell()
    if (hears) await watch(harness.context)
    await harness.restart()
    expect((await handlers()['page.tabTasks']({}, here)).current).toMatchObject({ task, filled: true, open: !hears })
    expect(await handlers()['page.listed']({ task, ...listed }, here)).toBe('sent')
    expect(harness.server.selling.reported).toEqual([{ task, ...listed }])
    const { done, down, current } = await handlers()['page.tabTasks']({}, here)
    expect(current).toBeNull()
    expect(down).toMatchObject([again])
    expect(done).toMatchObject({ task, title: 'Wool coat', kept: false, refused: false, again })
    expect(harness.shown.notifications).toMatchObject([{ kind: 'one', task: { kind: 'delist', reason: again.reason } }])
  })

  it('stays reported until its listing has ended', async () => {
    const { uid: task } = await listTask()
    await handlers()['page.listingDraft']({ task }, here)
    await handlers()['page.filled']({ task }, here)
    sell()
    await handlers()['page.listed']({ task, ...listed }, here)
    expect(await handlers()['page.listed']({ task, ...listed }, here)).toBe('sent')
    expect(harness.server.selling.reported).toHaveLength(1)
    harness.now.value += 5 * 60_000
    const { done, down } = await handlers()['page.tabTasks']({}, here)
    expect(done).toMatchObject({ task, again })
    await handlers()['page.down']({ task: down[0]!.task }, here)
    expect((await handlers()['page.tabTasks']({}, here)).done).toMatchObject({ kind: 'delist', again: null })
  })

  it('is not filled in again', async () => {
    const { uid: task } = await listTask()
    sell()
    await expect(handlers()['page.listingDraft']({ task }, here)).rejects.toMatchObject({ code: 'item_sold' })
    expect(await handlers()['page.tabTasks']({}, here)).toMatchObject({ current: null, list: [] })
  })

  it('is reported only by the tab of its form', async () => {
    const { uid: task } = await listTask()
    await handlers()['page.listingDraft']({ task }, here)
    sell()
    await watch(harness.context)
    await expect(handlers()['page.listed']({ task, ...listed }, here)).rejects.toMatchObject({ code: 'not_found' })
    await handlers()['page.filled']({ task }, here)
    const other = { ...here, tab: 8 }
    await expect(handlers()['page.listed']({ task, ...listed }, other)).rejects.toMatchObject({ code: 'not_found' })
    expect(harness.server.selling.reported).toEqual([])
  })
})

describe('a listing to end', () => {
  it('is checked for minutes in the tab of the click', async () => {
    const { uid: task } = await delistTask()
    expect((await handlers()['page.tabTasks']({}, here)).pressed).toBeNull()
    await handlers()['page.pressed']({ task }, here)
    expect((await handlers()['page.tabTasks']({}, here)).pressed).toBe(task)
    expect((await handlers()['page.tabTasks']({}, { ...here, tab: 8 })).pressed).toBeNull()
    harness.now.value += 6 * 60_000
    expect((await handlers()['page.tabTasks']({}, here)).pressed).toBeNull()
  })

  it('completes its task and shows that on its page', async () => {
    const { uid: task } = await delistTask()
    expect(await handlers()['page.down']({ task }, here)).toBe('sent')
    expect(harness.server.tasks[0]!.status).toBe('completed')
    expect((await handlers()['page.tabTasks']({}, here)).done).toMatchObject({ task, kind: 'delist' })
  })
})
