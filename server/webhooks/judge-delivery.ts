/** What follows from an attempt to deliver an event. */
export type DeliveryVerdict =
  | { kind: 'delivered' }
  | { kind: 'retry'; afterSeconds: number }
  | { kind: 'failed' }
  /** The receiver says that it is gone: nothing is sent there any more. */
  | { kind: 'gone' }

const minute = 60
const hour = 3_600
/** Waits between attempts: three days in all. */
export const waits = [
  5,
  30,
  2 * minute,
  10 * minute,
  30 * minute,
  hour,
  3 * hour,
  6 * hour,
  12 * hour,
  24 * hour,
  24 * hour,
]

/**
 * Judges an attempt: 2xx is taken, 410 gone, anything else and no answer at all is tried again, later and later, and given
 * up after three days. `attempts` counts this one; `spread` in [0, 1) keeps those that failed together from coming
 * together.
 */
export function judgeDelivery(
  answer: { status: number; retryAfterSeconds: number | null } | null,
  attempts: number,
  spread: number,
): DeliveryVerdict {
  if (answer && answer.status >= 200 && answer.status < 300) return { kind: 'delivered' }
  if (answer?.status === 410) return { kind: 'gone' }
  const wait = waits[attempts - 1]
  if (wait === undefined) return { kind: 'failed' }
  return { kind: 'retry', afterSeconds: Math.max(wait * (1 + spread * 0.1), answer?.retryAfterSeconds ?? 0) }
}
