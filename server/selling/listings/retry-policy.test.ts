import { expect, it } from 'vitest'
import { fetchRetrySeconds } from '#server/selling/orders/fetch-retry.ts'
import { delistWaitMs, rereadMs } from './retry-policy.ts'

/** Calls that something costs in a day which never succeeds, each after the wait that is decided when the last failed. */
function attemptsInADay(waitMs: (attempt: number, sinceMs: number) => number): number {
  let [attempts, nowMs] = [0, 0]
  while (nowMs < 86_400_000) nowMs += waitMs(++attempts, nowMs)
  return attempts
}

it('what never comes down, never shows or cannot be read does not use up the calls of all sellers', () => {
  // Etsy gives 10,000 a day to all of them, and an attempt costs up to three.
  expect(attemptsInADay((attempt, sinceMs) => delistWaitMs(attempt, sinceMs))).toBeLessThan(200)
  expect(attemptsInADay((_attempt, sinceMs) => rereadMs(sinceMs))).toBeLessThan(200)
  expect(attemptsInADay((attempt) => fetchRetrySeconds(attempt, 'failed')! * 1_000)).toBeLessThan(250)
})

it('a platform that was away for ten minutes is asked again within half a minute', () => {
  expect(delistWaitMs(40, 600_000)).toBeLessThanOrEqual(30_000)
  expect(fetchRetrySeconds(25, 'failed')).toBeLessThanOrEqual(30)
})
