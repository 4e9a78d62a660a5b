import { pino } from 'pino'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { holdLease, LeaseLostError, underLease } from './lease.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const log = pino({ enabled: false })

/** Holds a lease whose renewals give these rows or errors, a second each. */
function hold(...renewals: (object | null | Error)[]) {
  const renew = vi.fn(() => {
    const next = renewals.shift() ?? null
    return underLease('a test', next instanceof Error ? Promise.reject(next) : Promise.resolve(next))
  })
  return { renew, ...holdLease({ log }, { work: 'a test', everyMs: 1_000, renew }) }
}

it('a lease is renewed until it is released', async () => {
  const { renew, lost, release } = hold({}, {})
  await vi.advanceTimersByTimeAsync(2_500)
  release()
  await vi.advanceTimersByTimeAsync(10_000)
  expect(renew).toHaveBeenCalledTimes(2)
  expect(lost.aborted).toBe(false)
})

it('a lease that another worker has is lost', async () => {
  const { lost, release } = hold({}, null)
  await vi.advanceTimersByTimeAsync(1_500)
  expect(lost.aborted).toBe(false)
  await vi.advanceTimersByTimeAsync(1_000)
  release()
  expect(lost.reason).toBeInstanceOf(LeaseLostError)
})

it('a lease outlives a renewal that fails', async () => {
  const { renew, lost, release } = hold(new Error('the database is away'), {})
  await vi.advanceTimersByTimeAsync(2_500)
  release()
  expect(renew).toHaveBeenCalledTimes(2)
  expect(lost.aborted).toBe(false)
})

it('a write under a lost lease throws', async () => {
  await expect(underLease('import job job_1', Promise.resolve(null))).rejects.toThrow(
    new LeaseLostError('the lease of import job job_1 is lost'),
  )
  expect(await underLease('import job job_1', Promise.resolve({ uid: 'job_1' }))).toEqual({ uid: 'job_1' })
})
