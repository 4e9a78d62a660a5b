import { createHash } from 'node:crypto'
import { type Queries, sql } from '#server/infra/db/index.ts'
import { randomBase62 } from '#shared/identity.ts'

const insertChallenge = sql(import.meta.url, './sql/insert-challenge.sql')
const takeChallenge = sql(import.meta.url, './sql/take-challenge.sql')

/** How long a challenge waits for its answer, in seconds. */
const challengeSeconds = 300

/** Keeps a challenge; returns the token that goes with the answer. */
export async function keepChallenge(
  queries: Queries,
  kept: { purpose: 'register' | 'authenticate'; user_id: number | null; challenge: string },
): Promise<{ challenge_token: string; expires_at: string }> {
  const challenge_token = randomBase62(32)
  const { expires_at } = await queries.one<{ expires_at: string }>(insertChallenge, {
    ...kept,
    token_hash: hashOf(challenge_token),
    seconds: challengeSeconds,
  })
  return { challenge_token, expires_at }
}

/** Takes a challenge, which then is gone; null when there is none. Outside of the transaction that may fail. */
export async function takeKeptChallenge(
  queries: Queries,
  token: string,
  { purpose, user_id }: { purpose: 'register' | 'authenticate'; user_id: number | null },
): Promise<string | null> {
  const row = await queries.oneOrNone<{ challenge: string }>(takeChallenge, {
    token_hash: hashOf(token),
    purpose,
    user_id,
  })
  return row?.challenge ?? null
}

const hashOf = (token: string) => createHash('sha256').update(token).digest()
