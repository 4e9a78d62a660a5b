/** How long a worker that has taken a hint may be silent before another takes it. */
export const hintLeaseSeconds = 30

/** Attempts after which an order that the platform does not know counts as none: some half an hour. */
const unknownAfterAttempts = 12

/**
 * When to ask again for an order that a push told of: in one second, then in two, four and so on. A platform that fails is
 * asked at least twice a minute; one that does not show the order yet (faults F22) less and less often, until the order
 * counts as none: null.
 */
export function hintWaitSeconds(attempts: number, why: 'failed' | 'unknown'): number | null {
  if (why === 'unknown' && attempts >= unknownAfterAttempts) return null
  return Math.min(why === 'failed' ? 30 : 600, 2 ** Math.min(attempts - 1, 20))
}
