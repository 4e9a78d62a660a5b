import { createHash } from 'node:crypto'
import type { Queries } from '#server/infra/db/index.ts'
import { randomBase62 } from '#shared/identity.ts'
import * as sql from './queries.ts'

/** Lifetime of a challenge, in seconds. */
const challengeSeconds = 300

/** Stores a challenge and returns its token. */
export async function saveChallenge(
  queries: Queries,
  kept: { purpose: 'register' | 'authenticate'; user_id: number | null; challenge: string },
): Promise<{ challenge_token: string; expires_at: string }> {
  const challenge_token = randomBase62(32)
  const { expires_at } = await queries.one(
    sql.insertChallenge({
      ...kept,
      token_hash: hashOf(challenge_token),
      seconds: challengeSeconds,
    }),
  )
  return { challenge_token, expires_at }
}

/**
 * Removes and returns a challenge; null if there is none. Call it outside the transaction, so that a failure uses it up
 * too.
 */
export async function redeemChallenge(
  queries: Queries,
  token: string,
  { purpose, user_id }: { purpose: 'register' | 'authenticate'; user_id: number | null },
): Promise<string | null> {
  const row = await queries.oneOrNone(
    sql.takeChallenge({
      token_hash: hashOf(token),
      purpose,
      user_id,
    }),
  )
  return row?.challenge ?? null
}

const hashOf = (token: string) => createHash('sha256').update(token).digest()
