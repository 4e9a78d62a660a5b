/** The outcome of an attempt to deliver an event. */
type DeliveryOutcome =
  | { kind: 'delivered' }
  | { kind: 'retry'; afterSeconds: number }
  | { kind: 'failed' }
  /** The receiver answered 410, so the endpoint is disabled. */
  | { kind: 'gone' }

const minute = 60
const hour = 3_600
/** Seconds between attempts, three days in total. */
export const retryDelays = [
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
 * Classifies an attempt. 2xx is delivered and 410 is gone. Anything else is retried with growing delays, and fails
 * after three days. `attempts` includes this one. `spread` in [0, 1) adds jitter to the delay.
 */
export function classifyDelivery(
  answer: { status: number; retryAfterSeconds: number | null } | null,
  attempts: number,
  spread: number,
): DeliveryOutcome {
  if (answer && answer.status >= 200 && answer.status < 300) return { kind: 'delivered' }
  if (answer?.status === 410) return { kind: 'gone' }
  const wait = retryDelays[attempts - 1]
  if (wait === undefined) return { kind: 'failed' }
  return { kind: 'retry', afterSeconds: Math.max(wait * (1 + spread * 0.1), answer?.retryAfterSeconds ?? 0) }
}
