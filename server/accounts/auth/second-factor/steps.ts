import { createHash } from 'node:crypto'
import { type Queries, sql } from '#server/infra/db/index.ts'
import { type HttpProblem, problem } from '#server/infra/errors.ts'
import { randomBase62 } from '#shared/identity.ts'

const insertStep = sql(import.meta.url, './sql/insert-step.sql')
const tryStep = sql(import.meta.url, './sql/try-step.sql')
const useStep = sql(import.meta.url, './sql/use-step-token.sql')

/** How long the second step may take, in seconds, and how often it may be tried. */
const stepSeconds = 600
const maxTries = 5

/** A sign-in that waits for its second step. */
export interface PendingSignIn {
  signin_token: string
  expires_at: string
}

/**
 * Begins the second step of a sign-in whose first step was right; null for an account without a second factor.
 * `passwordHash`: the password that was checked, which must still be the account's.
 */
export async function beginSecondStep(
  queries: Queries,
  userId: number,
  passwordHash: string | null = null,
): Promise<PendingSignIn | null> {
  const signin_token = randomBase62(32)
  const row = await queries.oneOrNone<{ expires_at: string }>(insertStep, {
    token_hash: hashOf(signin_token),
    user_id: userId,
    password_hash: passwordHash,
    seconds: stepSeconds,
  })
  return row && { signin_token, ...row }
}

/** The answer to a sign-in that needs its second step. */
export const secondFactorRequired = (userId: number, { signin_token, expires_at }: PendingSignIn): HttpProblem =>
  problem('second_factor_required', undefined, { members: { signin_token, expires_at }, userId })

/** Counts a try of a second step and returns whose sign-in it is. Throws `code_invalid`. */
export async function trySecondStep(queries: Queries, token: string): Promise<number> {
  const tried = await queries.oneOrNone<{ user_id: number }>(tryStep, {
    token_hash: hashOf(token),
    max_tries: maxTries,
  })
  if (!tried) throw stepInvalid()
  return tried.user_id
}

/** Uses a second step up, in the transaction of the sign-in. Throws `code_invalid` when another was faster. */
export async function consumeSecondStep(queries: Queries, token: string): Promise<void> {
  if (!(await queries.oneOrNone(useStep, { token_hash: hashOf(token) }))) throw stepInvalid()
}

const stepInvalid = () => problem('code_invalid', 'This sign-in has expired or was tried too often. Sign in again.')

const hashOf = (token: string) => createHash('sha256').update(token).digest()
