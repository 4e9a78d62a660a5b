import { HapaxError } from '#shared/client/error.ts'

/** Consequence of a failed request for queued data. */
export type Verdict =
  /** Network or server trouble: retry later. */
  | { kind: 'later'; afterMs: number | null }
  /** The key was rejected: confirm once, then ask the seller to sign in. */
  | { kind: 'credential' }
  /** The job is completed or unknown: open another. */
  | { kind: 'job_closed' }
  /** The server refuses the content: retrying is pointless. */
  | { kind: 'refused'; message: string }

/** Classifies a request's error. Anything but a server's answer is network trouble. */
export function classifyError(error: unknown): Verdict {
  if (!(error instanceof HapaxError)) return { kind: 'later', afterMs: null }
  if (error.status === 401) return { kind: 'credential' }
  if (error.code === 'conflict' || error.code === 'not_found') return { kind: 'job_closed' }
  if (error.status >= 500 || error.code === 'bad_answer' || passing.has(error.code)) {
    return { kind: 'later', afterMs: error.retryAfterMs }
  }
  const fields = error.errors.map((one) => `${one.field} ${one.message}`).join(', ')
  return { kind: 'refused', message: fields ? `${error.message} (${fields})` : error.message }
}

const passing = new Set(['rate_limited', 'request_in_flight'])

/**
 * Returns the delay before the next attempt in ms. Doubles from 2 s to 10 min with 50 % jitter, so that browsers do not
 * return together. Never less than the server asked for.
 */
export function backoffMs(attempts: number, random: () => number, atLeastMs: number | null): number {
  const full = Math.min(2_000 * 2 ** Math.min(attempts, 20), 600_000)
  return Math.max(Math.round(full / 2 + (full / 2) * random()), atLeastMs ?? 0)
}
