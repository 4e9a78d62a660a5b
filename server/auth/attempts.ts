import { type Queries, sql } from '#server/db/index.ts'
import { prepared, single } from '#server/db/prepared.ts'
import { hashSecret, newSecret } from '#server/http/credentials.ts'
import { problem } from '#server/http/errors.ts'
import type { User } from '#shared/contract/accounts.ts'

const beginAttempt = sql(import.meta.url, './sql/begin-attempt.sql')
// Planning these costs more than running them, and somebody who guesses has them run all the time.
const beginSignInQuery = prepared(sql(import.meta.url, './sql/begin-sign-in.sql'))
const finishSignInQuery = prepared(sql(import.meta.url, './sql/finish-sign-in.sql'))
const forgive = sql(import.meta.url, './sql/forgive-attempts.sql')
const takeBack = prepared(sql(import.meta.url, './sql/take-back-attempt.sql'))

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
 * `forgiveAttempts`, one that was not tried by `takeBackAttempts`.
 */
export async function countAttempt(queries: Queries, attempted: Attempted, detail: string): Promise<void> {
  const { admitted, wait } = await queries.one<{ admitted: boolean; wait: number | null }>(beginAttempt, {
    ...attempted,
    ...rules[attempted.kind],
  })
  if (!admitted) throw waitFirst(detail, wait)
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

/** Attempts that were counted, at a network and at the subject as a whole, and then not tried. */
export async function takeBackAttempts(
  queries: Queries,
  kinds: Attempted['kind'][],
  subject: Buffer,
  network: Buffer,
): Promise<void> {
  await queries.none(single(takeBack, { kinds, subject, network }))
}

export interface SignIn extends User {
  password_hash: string | null
  state: string
  is_known_network: boolean
}

/**
 * Counts a sign-in before it is tried, as `countAttempt` does, by network and by account, and finds the account.
 * Throws `rate_limited`; null when there is no such account.
 */
export async function beginSignIn(
  queries: Queries,
  { subject, network, email }: { subject: Buffer; network: Buffer; email: string | null },
): Promise<SignIn | null> {
  const rulesOf = (kind: 'login' | 'login-account', prefix: string) =>
    Object.fromEntries(Object.entries(rules[kind]).map(([name, value]) => [`${prefix}_${name}`, value]))
  const { network_admitted, network_wait, account_admitted, account_wait, id, ...account } = await queries.one<
    Omit<SignIn, 'id'> & {
      id: number | null
      network_admitted: boolean
      network_wait: number | null
      account_admitted: boolean | null
      account_wait: number | null
    }
  >(
    single(beginSignInQuery, {
      subject,
      network,
      email,
      ...rulesOf('login', 'network'),
      ...rulesOf('login-account', 'account'),
    }),
  )
  if (!network_admitted) throw waitFirst('Too many failed sign-ins. Wait, or ask for a new password.', network_wait)
  if (!account_admitted) {
    throw waitFirst('Too many failed sign-ins in a row. Ask for a new password to sign in again.', account_wait)
  }
  return id === null ? null : { ...account, id }
}

/**
 * After the right password: a bearer token, the attempts of `beginSignIn` forgiven, and the network noted, together.
 * Null, and nothing done, when the account is no longer active or its password no longer the one that was checked.
 */
export async function finishSignIn(
  queries: Queries,
  account: SignIn,
  { subject, network }: { subject: Buffer; network: Buffer },
): Promise<string | null> {
  const token = newSecret('hpxt')
  const row = await queries.oneOrNone(
    single(finishSignInQuery, {
      user_id: account.id,
      password_hash: account.password_hash,
      token_hash: hashSecret(token),
      kinds: ['login', 'login-account'],
      subject,
      network,
    }),
  )
  return row && token
}

const waitFirst = (detail: string, seconds: number | null) =>
  problem('rate_limited', detail, { retryAfterSeconds: Math.max(1, seconds ?? 1) })
