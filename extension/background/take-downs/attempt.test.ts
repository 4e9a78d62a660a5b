import 'fake-indexeddb/auto'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { takeDownLimits } from '#extension/messaging/take-downs.ts'
import { depop } from '#extension/platforms/depop/index.ts'
import { poshmark } from '#extension/platforms/poshmark/index.ts'
import { buildHarness, type Harness } from '#extension/testing/harness.ts'
import { sampleAlert } from '#extension/testing/sample-alert.ts'
import { sampleTask } from '#extension/testing/sample-task.ts'
import type { ExtensionTask } from '#shared/contract/selling/tasks.ts'
import { pageHandlers } from '../handlers/page-handlers.ts'
import { popupHandlers } from '../handlers/popup-handlers.ts'
import { watch } from '../tasks/watch.ts'
import { endAttemptOfEarlierBrowser, endAttemptOfTab, takeDownNext } from './attempt.ts'
import { readTakeDowns } from './state.ts'

let harness: Harness
beforeEach(async () => {
  harness = await buildHarness()
})
afterEach(() => harness.close())

const page = { platform: depop, tab: 1 }
const pages = () => pageHandlers(harness.context)
const popup = () => popupHandlers(harness.context)
const turn = (on: boolean) => popup()['takeDowns.switch']({ platform: 'depop', on })
const log = async () => (await readTakeDowns(harness.store)).log
const attempts = () => harness.server.tasks.map(({ attempt }) => attempt)
const press = (task: ExtensionTask, step: 'edit' | 'delete' | 'confirm', id = crypto.randomUUID(), from = page) =>
  pages()['page.mayPress']({ task: task.uid, press: id, step, word: step }, from)

/** Opens a task and begins to end its listing in tab 1. */
async function begin(changes: Partial<ExtensionTask> = {}): Promise<ExtensionTask> {
  const task = sampleTask(changes)
  harness.server.tasks.push(task)
  await watch(harness.context)
  await turn(true)
  return task
}

describe('a listing that ends by itself', () => {
  it('opens nothing while it is switched off', async () => {
    harness.server.tasks.push(sampleTask())
    await watch(harness.context)
    await takeDownNext(harness.context)
    expect([harness.shown.tabs, attempts()]).toEqual([[], [null]])
  })

  it('opens its page once, in one tab, and tells only that tab', async () => {
    const task = await begin()
    await begin()
    await takeDownNext(harness.context)
    expect(harness.shown.tabs).toEqual([task.url])
    const shown = await pages()['page.tabTasks']({}, page)
    expect(shown.byItself).toMatchObject({ task: { task: task.uid, titles: [task.title] }, pressed: [] })
    for (const other of [
      { ...page, tab: 2 },
      { ...page, platform: poshmark },
    ]) {
      expect((await pages()['page.tabTasks']({}, other)).byItself).toBeNull()
    }
  })

  it('waits while no window is open, and while the seller is on the marketplace', async () => {
    harness.shown.front = null
    await begin()
    harness.shown.front = 'https://www.depop.com/feed/'
    await takeDownNext(harness.context)
    expect(harness.shown.tabs).toEqual([])
    harness.shown.front = 'https://example.com/'
    await takeDownNext(harness.context)
    expect(harness.shown.tabs).toHaveLength(1)
  })

  it('is left alone if another browser began first, or the sale was canceled', async () => {
    const [tried, canceled] = [sampleTask(), sampleTask()]
    harness.server.tasks.push(tried, canceled)
    await watch(harness.context)
    const at = new Date().toISOString()
    const other = {
      attempt_id: crypto.randomUUID(),
      begun_at: at,
      pressed: [],
      ended_at: null,
      result: null,
      seen: null,
    }
    Object.assign(tried, { attempt: other })
    Object.assign(canceled, { sold_elsewhere: false })
    await turn(true)
    await takeDownNext(harness.context)
    expect([harness.shown.tabs, attempts()]).toEqual([[], [other, null]])
  })

  it('is completed as seen down, and its tab closed', async () => {
    const task = await begin()
    for (const step of ['edit', 'delete', 'confirm'] as const) expect(await press(task, step)).toBe(true)
    expect(await pages()['page.down']({ task: task.uid }, page)).toBe('sent')
    expect(harness.server.selling.reported).toEqual([{ task: task.uid, seen_down: true }])
    expect(task.attempt).toMatchObject({ result: 'ended', pressed: ['edit', 'delete', 'confirm'] })
    expect(harness.closed).toEqual(new Set([1]))
    expect(await log()).toMatchObject([{ task: task.uid, result: 'ended', closed: true, told: true }])
  })
})

describe('a press', () => {
  it('is allowed once, in order, in the tab that was opened for it', async () => {
    const task = await begin()
    const id = crypto.randomUUID()
    expect(await press(task, 'confirm')).toBe(false)
    expect(await press(task, 'edit', id, { ...page, tab: 2 })).toBe(false)
    expect(await press(task, 'edit', id)).toBe(true)
    // The worker's answer was lost, so the page asks again.
    await harness.restart()
    expect(await press(task, 'edit', id)).toBe(true)
    expect(await press(task, 'edit')).toBe(false)
    expect(await press(task, 'confirm')).toBe(false)
    expect(await press(task, 'delete')).toBe(true)
    expect(task.attempt?.pressed).toEqual(['edit', 'delete'])
  })

  it('is known to the next page of the tab, after a restart as well', async () => {
    const task = await begin()
    await press(task, 'edit')
    await harness.restart()
    expect((await pages()['page.tabTasks']({}, page)).byItself?.pressed).toEqual(['edit'])
  })

  it.each([
    ['the sale was canceled', 'task_over', (task: ExtensionTask) => Object.assign(task, { sold_elsewhere: false })],
    ['the server does not answer', 'no_server', () => Object.assign(harness.server, { outage: 'network' })],
  ] as const)('is refused once %s', async (_, result, happen) => {
    const task = await begin()
    await press(task, 'edit')
    happen(task)
    expect(await press(task, 'delete')).toBe(false)
    expect(await log()).toMatchObject([{ result, pressed: ['edit', 'delete'] }])
    expect(harness.closed.has(1)).toBe(true)
  })

  it('is refused after it was switched off, which closes the tab and leaves the task', async () => {
    const task = await begin()
    await press(task, 'edit')
    await turn(false)
    expect(await press(task, 'delete')).toBe(false)
    expect([task.status, task.attempt?.result, harness.closed.has(1)]).toEqual(['open', 'stopped', true])
  })

  it('is refused if it is switched off while the server answers', async () => {
    const task = await begin()
    const { clientOf } = harness.context
    harness.context.clientOf = (...given) => {
      harness.context.clientOf = clientOf
      const call = clientOf(...given)
      const late: typeof call = async (...asked) => {
        await turn(false)
        return call(...asked)
      }
      return late
    }
    expect(await press(task, 'edit')).toBe(false)
  })
})

describe('an attempt', () => {
  it.each([
    ['the seller closed the tab', 'tab_closed', () => endAttemptOfTab(harness.context, 1)],
    ['the browser was restarted', 'tab_closed', () => endAttemptOfEarlierBrowser(harness.context)],
    [
      'it takes too long',
      'timed_out',
      () => {
        harness.now.value += takeDownLimits.maxMs
        return takeDownNext(harness.context)
      },
    ],
  ] as const)('ends once %s, and is not made again', async (_, result, happen) => {
    const task = await begin()
    await happen()
    harness.now.value += takeDownLimits.pauseMs
    await takeDownNext(harness.context)
    expect(harness.shown.tabs).toHaveLength(1)
    expect([task.status, task.attempt?.result]).toEqual(['open', result])
  })

  it('that stopped says what was seen, in this browser and in others', async () => {
    const task = await begin()
    const stopped = { task: task.uid, result: 'unknown_dialog', seen: 'Are you there?' } as const
    await pages()['page.stopped'](stopped, page)
    await pages()['page.stopped']({ ...stopped, result: 'no_button' }, page)
    const told = {
      task: task.uid,
      title: task.title,
      platform: 'depop',
      result: 'unknown_dialog',
      seen: 'Are you there?',
    }
    expect(await popup()['takeDowns.log']({})).toMatchObject([{ ...told, closed: false }])
    await harness.store.set('take_downs', null)
    expect(await popup()['takeDowns.log']({})).toMatchObject([{ ...told, closed: null }])
  })

  it.each([
    'taken_over',
    'signed_out',
    'challenge',
    'open_offer',
    'unknown_dialog',
    'no_button',
    'still_live',
  ] as const)('leaves the tab open for the seller after %s', async (result) => {
    const task = await begin()
    await pages()['page.stopped']({ task: task.uid, result, seen: null }, page)
    expect(harness.closed.size).toBe(0)
  })

  it('says the next step at once, also while its marketplace rests', async () => {
    const first = await begin({ title: 'Wool coat' })
    await pages()['page.stopped']({ task: first.uid, result: 'signed_out', seen: null }, page)
    expect(harness.shown.notifications.at(-1)).toMatchObject({ kind: 'one', task: { uid: first.uid } })
    const next = sampleTask({ created_at: new Date(harness.context.now()).toISOString() })
    harness.server.tasks.push(next)
    await watch(harness.context)
    expect(harness.shown.notifications.at(-1)).toMatchObject({ kind: 'one', task: { uid: next.uid } })
  })

  it('tells its result later if the server does not answer', async () => {
    const task = await begin()
    harness.server.outage = 'network'
    await endAttemptOfTab(harness.context, 1)
    expect((await popup()['takeDowns.log']({})).map(({ result }) => result)).toEqual(['tab_closed'])
    harness.server.outage = null
    await takeDownNext(harness.context)
    expect(task.attempt?.result).toBe('tab_closed')
  })

  it('ends with the session, and its tab', async () => {
    const task = await begin()
    await popup()['popup.signOut']({})
    expect(harness.closed.has(1)).toBe(true)
    expect(await press(task, 'edit')).toBe(false)
  })
})

describe('a notification', () => {
  it('waits until a listing that ends by itself has stopped', async () => {
    harness.now.value = Date.now()
    const task = sampleTask({ created_at: new Date().toISOString() })
    const alert = sampleAlert({ kind: 'delist_overdue', platform: 'depop', task_uid: task.uid })
    await turn(true)
    harness.server.tasks.push(task)
    harness.server.alerts.push(alert)
    await watch(harness.context)
    await takeDownNext(harness.context)
    await watch(harness.context)
    expect(harness.shown.notifications).toEqual([])
    await pages()['page.stopped']({ task: task.uid, result: 'no_button', seen: null }, page)
    expect(harness.shown.notifications).toMatchObject([{ kind: 'alert' }])
  })
})
