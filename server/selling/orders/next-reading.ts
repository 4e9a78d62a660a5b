/**
 * Returns the seconds until a shop is read again: as planned, or the fastest interval while more than half of the spare
 * calls is left. `fullness` is their share, from 0 to 1.
 */
export function nextReading(given: { plannedSeconds: number; fastestSeconds: number; fullness: number }): number {
  return given.fullness > 0.5 ? Math.min(given.plannedSeconds, given.fastestSeconds) : given.plannedSeconds
}

/**
 * Returns the seconds until a failed reading is tried again, growing with `failures`. Never later than planned, except
 * half a minute for a platform that is down.
 */
export function failedReadingWait(failures: number, plannedSeconds: number): number {
  return Math.min(5 * 2 ** Math.min(failures, 10), Math.max(30, plannedSeconds))
}
