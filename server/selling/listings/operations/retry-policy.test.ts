import { expect, it } from 'vitest'
import { fetchRetrySeconds } from '#server/selling/orders/fetch-retry.ts'
import { delistWaitMs, rereadMs } from './retry-policy.ts'

/** Counts the calls a day of an operation that never succeeds. */
function attemptsInADay(waitMs: (attempt: number, sinceMs: number) => number): number {
  let [attempts, nowMs] = [0, 0]
  while (nowMs < 86_400_000) nowMs += waitMs(++attempts, nowMs)
  return attempts
}

it('an operation that never succeeds leaves calls to others', () => {
  // Etsy grants 10,000 calls to all sellers, and an attempt costs up to three.
  expect(attemptsInADay((attempt, sinceMs) => delistWaitMs(attempt, sinceMs))).toBeLessThan(200)
  expect(attemptsInADay((_attempt, sinceMs) => rereadMs(sinceMs))).toBeLessThan(200)
  expect(attemptsInADay((attempt) => fetchRetrySeconds(attempt, 'failed')! * 1_000)).toBeLessThan(250)
})

it('a platform back after ten minutes is asked within 30 s', () => {
  expect(delistWaitMs(40, 600_000)).toBeLessThanOrEqual(30_000)
  expect(fetchRetrySeconds(25, 'failed')).toBeLessThanOrEqual(30)
})
