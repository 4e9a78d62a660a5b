import { ApiError } from '#shared/contract/client.ts'

/** What a failure of a request means for what is waiting to be sent. */
export type Verdict =
  /** The network or the server has trouble: later again. */
  | { kind: 'later'; afterMs: number | null }
  /** The key was not taken: to be checked once, then the seller signs in again. */
  | { kind: 'credential' }
  /** The job takes nothing more (completed meanwhile, or unknown): another one is to be opened. */
  | { kind: 'job_closed' }
  /** The server understood and refuses: trying the same again is pointless. */
  | { kind: 'refused'; message: string }

/** Judges whatever a request threw. Anything that is no answer of a server is trouble on the way. */
export function classifyError(error: unknown): Verdict {
  if (!(error instanceof ApiError)) return { kind: 'later', afterMs: null }
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
 * Milliseconds to wait before attempt `attempts` + 1: doubling from 2 s to 10 min, half of it at random so that
 * browsers that lost the same server do not come back together, and never less than the server asked for.
 */
export function backoffMs(attempts: number, random: () => number, atLeastMs: number | null): number {
  const full = Math.min(2_000 * 2 ** Math.min(attempts, 20), 600_000)
  return Math.max(Math.round(full / 2 + (full / 2) * random()), atLeastMs ?? 0)
}
