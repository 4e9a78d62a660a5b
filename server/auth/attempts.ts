import { type Queries, sql } from '#server/db/index.ts'
import { problem } from '#server/http/errors.ts'

const beginAttempt = sql(import.meta.url, './sql/begin-attempt.sql')
const forgive = sql(import.meta.url, './sql/forgive-attempts.sql')
const takeBack = sql(import.meta.url, './sql/take-back-attempt.sql')

/** Kinds of guessing, and how many failures each bears before it has to wait. */
const rules = {
  /** By account and network: 5 in 15 minutes, then waits of 1, 2, 4 … 15 minutes (decisions 4). */
  login: { max: 5, window: 900, first: 60, longest: 900 },
  /** By account over all networks: after 100 in a row only a reset link helps. */
  'login-account': { max: 100, window: 30 * 86_400, first: 30 * 86_400, longest: 30 * 86_400 },
  /** The current password at a change, by user (threats T56). */
  'current-password': { max: 5, window: 900, first: 900, longest: 900 },
} as const

export interface Attempted {
  kind: keyof typeof rules
  subject: Buffer
  /** Empty: the subject as a whole. */
  network: Buffer
}

/**
 * Counts an attempt before it is tried. Throws `rate_limited` when it has to wait. A success is told by
 * `forgiveAttempts`, an attempt that was not tried by `takeBackAttempt`.
 */
export async function countAttempt(queries: Queries, attempted: Attempted, detail: string): Promise<void> {
  const { admitted, wait } = await queries.one<{ admitted: boolean; wait: number | null }>(beginAttempt, {
    ...attempted,
    ...rules[attempted.kind],
  })
  if (!admitted) throw problem('rate_limited', detail, { retryAfterSeconds: Math.max(1, wait ?? 1) })
}

/** After a success; without a network, of all networks (after a reset). */
export async function forgiveAttempts(
  queries: Queries,
  kinds: Attempted['kind'][],
  subject: Buffer,
  network: Buffer | null,
): Promise<void> {
  await queries.none(forgive, { kinds, subject, network })
}

export async function takeBackAttempt(queries: Queries, attempted: Attempted): Promise<void> {
  await queries.none(takeBack, attempted)
}
