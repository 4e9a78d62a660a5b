/** Lease of a request: another worker takes it after this time. */
export const fetchLeaseSeconds = 30

/** Failed attempts in about ten minutes. */
const failuresAtFullPace = 25

/** Attempts after which an unknown order is dropped: about half an hour. */
const unknownAfterAttempts = 12

/**
 * Returns the seconds until an order is fetched again: one, then two, four and so on. A failing platform is asked twice
 * a minute for ten minutes. Then it is asked less often: all sellers share its calls, and the next reading finds the
 * order too. An unknown order is asked for less and less often, then dropped (null).
 */
export function fetchRetrySeconds(attempts: number, why: 'failed' | 'unknown'): number | null {
  if (why === 'unknown' && attempts >= unknownAfterAttempts) return null
  const longest = why === 'failed' ? 30 * 1.1 ** Math.max(0, attempts - failuresAtFullPace) : 600
  return Math.round(Math.min(longest, 600, 2 ** Math.min(attempts - 1, 20)))
}
