import { describe, expect, it } from 'vitest'
import { type TakeDownEntry, takeDownLimits } from '#extension/messaging/take-downs.ts'
import { sampleTask } from '#extension/testing/sample-task.ts'
import type { ExtensionTask } from '#shared/contract/selling/tasks.ts'
import { nextTakeDown, withEntry } from './decide-next.ts'

const now = Date.UTC(2026, 0, 5, 12)
const minute = 60_000
const all = { on: ['poshmark', 'mercari', 'depop'] as const, log: [], inFront: null, now }
const entry = (changes: Partial<TakeDownEntry> = {}): TakeDownEntry => ({
  ...{ task: 'tsk_other', item: 'inv_1', title: 'Coat', platform: 'depop', url: 'https://www.depop.com/products/x-y/' },
  ...{
    begun_at: now - 10 * minute,
    ended_at: now - 9 * minute,
    pressed: [],
    result: 'ended',
    seen: null,
    closed: true,
  },
  ...changes,
})
const log = (count: number, changes: Partial<TakeDownEntry> = {}) => Array.from({ length: count }, () => entry(changes))

describe('nextTakeDown', () => {
  it('returns the oldest task of an item sold elsewhere', () => {
    const [older, newer] = [1, 2].map((n) => sampleTask({ created_at: new Date(now - minute / n).toISOString() }))
    expect(nextTakeDown([newer!, older!], all)).toBe(older)
  })

  it.each<[string, Partial<ExtensionTask>]>([
    ['whose item was not sold elsewhere', { sold_elsewhere: false }],
    ['of a server that does not say so', { sold_elsewhere: undefined }],
    ['that was tried by another browser', { attempt: { ...tried(), result: 'no_button' } }],
    ['to list an item', { kind: 'list' }],
    ['that is over', { status: 'dismissed' }],
    ['on a marketplace with an API', { platform: 'ebay', url: 'https://www.ebay.com/itm/1' }],
    ['whose page is on another site', { url: 'https://evil.test/products/sample-wool-coat/' }],
    [
      'whose page is on another marketplace',
      { listing_id: 'm11111111111', url: 'https://www.mercari.com/us/item/m11111111111/' },
    ],
    ['whose page is not one listing', { url: 'https://www.depop.com/sellinghub/selling/active/' }],
    [
      'whose page is another listing',
      { platform: 'mercari', listing_id: 'm2', url: 'https://www.mercari.com/us/item/m11111111111/' },
    ],
    ['whose page is no web page', { url: 'javascript:alert(1)' }],
    ['without a listing', { listing_id: null }],
  ])('leaves a task %s to the seller', (_, changes) => {
    expect(nextTakeDown([sampleTask(changes)], all)).toBeNull()
  })

  it('works only where it is switched on', () => {
    const task = sampleTask()
    expect(nextTakeDown([task], { ...all, on: ['poshmark', 'mercari'] })).toBeNull()
    expect(nextTakeDown([task], { ...all, on: ['depop'] })).toBe(task)
  })

  it('tries each task once', () => {
    const task = sampleTask()
    expect(nextTakeDown([task], { ...all, log: [entry({ task: task.uid, result: 'no_button' })] })).toBeNull()
  })

  it('pauses after each attempt, on the same marketplace only', () => {
    const endedBefore = (ms: number) => ({ ...all, log: [entry({ ended_at: now - ms })] })
    expect(nextTakeDown([sampleTask()], endedBefore(takeDownLimits.pauseMs - 1))).toBeNull()
    expect(nextTakeDown([sampleTask()], endedBefore(takeDownLimits.pauseMs))).not.toBeNull()
    const elsewhere = [entry({ platform: 'mercari', ended_at: now - 1 })]
    expect(nextTakeDown([sampleTask()], { ...all, log: elsewhere })).not.toBeNull()
  })

  it('makes a limited number of attempts an hour on each marketplace', () => {
    const full = log(takeDownLimits.perHour)
    const other = sampleTask({
      platform: 'mercari',
      listing_id: 'm11111111111',
      url: 'https://www.mercari.com/us/item/m11111111111/',
    })
    expect(nextTakeDown([sampleTask()], { ...all, log: full })).toBeNull()
    expect(nextTakeDown([sampleTask(), other], { ...all, log: full })).toBe(other)
    expect(nextTakeDown([sampleTask()], { ...all, log: full, now: now + 51 * minute })).not.toBeNull()
  })

  it.each(['challenge', 'signed_out', 'other_account', 'unreadable'] as const)(
    'rests for an hour on a marketplace that ended an attempt with %s',
    (result) => {
      const rested = { ...all, log: [entry({ result })] }
      expect(nextTakeDown([sampleTask()], rested)).toBeNull()
      expect(nextTakeDown([sampleTask()], { ...rested, now: now + 50 * minute })).not.toBeNull()
    },
  )

  it('leaves the marketplace alone that the seller is looking at', () => {
    expect(nextTakeDown([sampleTask()], { ...all, inFront: 'depop' })).toBeNull()
    expect(nextTakeDown([sampleTask()], { ...all, inFront: 'poshmark' })).not.toBeNull()
  })
})

describe('the log', () => {
  it('keeps a limited number of entries for a limited time, newest first', () => {
    const { keep, keepMs } = takeDownLimits
    const fresh = entry({ ended_at: now })
    const kept = withEntry([...log(keep), entry({ task: 'tsk_last' })], fresh)
    expect([kept.length, kept[0], kept.some(({ task }) => task === 'tsk_last')]).toEqual([keep, fresh, false])
    const old = [entry({ ended_at: now - keepMs + 1 }), entry({ ended_at: now - keepMs })]
    expect(withEntry(old, fresh)).toEqual([fresh, old[0]])
  })
})

function tried() {
  const at = new Date(now).toISOString()
  return { attempt_id: '0b9b0f2e-8f1c-4c5e-9d6a-1f2e3d4c5b6a', begun_at: at, pressed: [], ended_at: at, seen: null }
}
