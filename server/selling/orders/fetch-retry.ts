/** How long a worker that has taken a hint may be silent before another takes it. */
export const fetchLeaseSeconds = 30

/** Failed attempts of some ten minutes. */
const failuresAtFullPace = 25

/** Attempts after which an order that the platform does not know counts as none: some half an hour. */
const unknownAfterAttempts = 12

/**
 * When to ask again for an order that a push told of: in one second, then in two, four and so on. A platform that fails is
 * asked twice a minute for its first ten minutes, then less and less often, since each of these calls is taken from the
 * other sellers', and reading the shop finds the order too; one that does not show the order yet less and less often, until the order
 * counts as none: null.
 */
export function fetchRetrySeconds(attempts: number, why: 'failed' | 'unknown'): number | null {
  if (why === 'unknown' && attempts >= unknownAfterAttempts) return null
  const longest = why === 'failed' ? 30 * 1.1 ** Math.max(0, attempts - failuresAtFullPace) : 600
  return Math.round(Math.min(longest, 600, 2 ** Math.min(attempts - 1, 20)))
}
