import { createHash } from 'node:crypto'
import type { Queries } from '#server/infra/db/index.ts'
import { type HttpProblem, problem } from '#server/infra/errors.ts'
import { randomBase62 } from '#shared/identity.ts'
import * as sql from './queries.ts'

/** Lifetime of the second step in seconds, and its allowed attempts. */
const stepSeconds = 600
const maxTries = 5

/** A sign-in that waits for its second step. */
interface PendingSignIn {
  signin_token: string
  expires_at: string
}

/**
 * Begins the second step after a valid first one; null for an account without a second factor. `passwordHash`: the
 * checked password, which must still be the account's.
 */
export async function beginSecondStep(
  queries: Queries,
  userId: number,
  passwordHash: string | null = null,
): Promise<PendingSignIn | null> {
  const signin_token = randomBase62(32)
  const row = await queries.oneOrNone(
    sql.insertStep({
      token_hash: hashOf(signin_token),
      user_id: userId,
      password_hash: passwordHash,
      seconds: stepSeconds,
    }),
  )
  return row && { signin_token, ...row }
}

/** The error for a sign-in that needs its second step. */
export const secondFactorRequired = (userId: number, { signin_token, expires_at }: PendingSignIn): HttpProblem =>
  problem('second_factor_required', undefined, { members: { signin_token, expires_at }, userId })

/** Counts an attempt at a second step and returns its user id. Throws `code_invalid`. */
export async function trySecondStep(queries: Queries, token: string): Promise<number> {
  const tried = await queries.oneOrNone(sql.tryStep({ token_hash: hashOf(token), max_tries: maxTries }))
  if (!tried) throw stepInvalid()
  return tried.user_id
}

/** Uses up a second step in the transaction of the sign-in. Throws `code_invalid` if another request was faster. */
export async function consumeSecondStep(queries: Queries, token: string): Promise<void> {
  if (!(await queries.oneOrNone(sql.useStepToken({ token_hash: hashOf(token) })))) throw stepInvalid()
}

const stepInvalid = () => problem('code_invalid', 'This sign-in has expired or was tried too often. Sign in again.')

const hashOf = (token: string) => createHash('sha256').update(token).digest()
