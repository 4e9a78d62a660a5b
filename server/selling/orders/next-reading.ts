/**
 * In how many seconds to read a shop again: as planned, or as fast as may be while more than half of what may be spent
 * ahead of the plan is there. `fullness` is that stock, from 0 to 1.
 */
export function nextReading(given: { plannedSeconds: number; fastestSeconds: number; fullness: number }): number {
  return given.fullness > 0.5 ? Math.min(given.plannedSeconds, given.fastestSeconds) : given.plannedSeconds
}

/**
 * In how many seconds to try again after a reading that failed, `failures` of them before it: soon, then later, but never
 * more seldom than was planned (and half a minute at least, for a platform that is down).
 */
export function failedReadingWait(failures: number, plannedSeconds: number): number {
  return Math.min(5 * 2 ** Math.min(failures, 10), Math.max(30, plannedSeconds))
}
