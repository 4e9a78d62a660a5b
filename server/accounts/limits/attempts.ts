import type { Queries } from '#server/infra/db/index.ts'
import { problem } from '#server/infra/errors.ts'
import * as sql from './queries.ts'

/** Kinds of guessing, and the failures that each allows before a wait. */
export const attemptRules = {
  /** By account and network: 5 in 15 minutes, then waits of 1, 2, 4 … 15 minutes. */
  login: { max: 5, window: 900, first: 60, longest: 900 },
  /**
   * By account, over all unknown networks: after 100 failures in a row they wait together, at most an hour at a time.
   * That leaves many networks together about 24 guesses a day.
   */
  'login-account': { max: 100, window: 86_400, first: 900, longest: 3_600 },
  /** The current password at a change, by user. */
  'current-password': { max: 5, window: 900, first: 900, longest: 900 },
  /**
   * Codes of a second factor, by user over all sign-ins: 10, then one after each wait of 15 minutes to an hour. The attacker
   * already has the password, so a day must not allow hundreds of guesses at six digits.
   */
  'second-factor': { max: 10, window: 86_400, first: 900, longest: 3_600 },
  /** The password of a mailbox that a seller names, by mailbox over all accounts. */
  mailbox: { max: 10, window: 3_600, first: 3_600, longest: 3_600 },
} as const

export interface Attempted {
  kind: keyof typeof attemptRules
  subject: Buffer
  /** Empty: the subject as a whole. */
  network: Buffer
}

/**
 * Counts an attempt before it is tried and returns the failures in a row, this one included. Throws `rate_limited`
 * during a wait. After a success call `forgiveAttempts`; if nothing was tried, `refundAttempts`.
 */
export async function countAttempt(queries: Queries, attempted: Attempted, detail: string): Promise<number> {
  const { allowed, count, wait } = await queries.one(
    sql.beginAttempt({
      ...attempted,
      ...attemptRules[attempted.kind],
    }),
  )
  if (!allowed) throw waitFirst(detail, wait)
  return count
}

/** Deletes the failures after a success; without a network, of all networks (after a reset). */
export async function forgiveAttempts(
  queries: Queries,
  kinds: Attempted['kind'][],
  subject: Buffer,
  network: Buffer | null,
): Promise<void> {
  await queries.none(sql.forgiveAttempts({ kinds, subject, network }))
}

/** Takes back counted attempts that were not tried, at a network and at the subject as a whole. */
export async function refundAttempts(
  queries: Queries,
  kinds: Attempted['kind'][],
  subject: Buffer,
  network: Buffer,
): Promise<void> {
  await queries.none(sql.takeBackAttempt({ kinds, subject, network }))
}

/** The error during a wait. */
export const waitFirst = (detail: string, seconds: number | null) =>
  problem('rate_limited', detail, { retryAfterSeconds: Math.max(1, seconds ?? 1) })
