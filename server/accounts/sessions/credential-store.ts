import type { Allowance } from '#server/http/allowance.ts'
import type { CredentialStore, KeyPrincipal, UncountedKeys } from '#server/http/credentials/authenticate.ts'
import { batched } from '#server/http/limits/batch.ts'
import { type LimitSettings, realLimits } from '#server/http/limits/limit-settings.ts'
import { type Database, refusesWrites } from '#server/infra/db/index.ts'
import type { Scope } from '#shared/contract/declaring/route.ts'
import { type SessionLifetimes, usualLifetimes } from './lifetimes.ts'
import * as sql from './queries.ts'

interface Holder {
  /** The position of the request, from 1. Absent if nothing was counted: the query then returns a row per credential. */
  place?: number
  hash: Buffer
  user_id: number
  username: string
  email: string | null
  user_ordinal?: number | null
  user_seconds?: number | null
}

interface BearerHolder extends Holder {
  proof_age: number | null
}

interface KeyHolder extends Holder {
  key_id: string
  key_name: string
  scopes: Scope[]
  key_ordinal?: number
  key_seconds?: number
}

/**
 * Finds credentials by their hash in the database, never in memory, so that a revoked one ends at once. The same query
 * counts the request for its key and user. A separate query would halve the requests a second at 8 connections
 * (`e2e/lab/bench/core.bench.ts`). While the database refuses writes, counts nothing.
 */
export function databaseCredentials(
  db: Database,
  { keyPerMinute, userPerMinute }: LimitSettings = realLimits,
  lifetimes: SessionLifetimes = usualLifetimes,
): CredentialStore & UncountedKeys {
  async function find<Found extends Holder>(
    hashes: Buffer[],
    authenticate: () => Promise<Found[]>,
    findOnly: () => Promise<Found[]>,
  ): Promise<(Found | null)[]> {
    const holders = await authenticate().catch((error: unknown) => {
      if (!refusesWrites(error)) throw error
      return findOnly()
    })
    const byRequest = new Map(holders.map((holder) => [holder.place ?? holder.hash.toString('hex'), holder]))
    return hashes.map((hash, index) => byRequest.get(index + 1) ?? byRequest.get(hash.toString('hex')) ?? null)
  }
  const findBearer = batched<Buffer, BearerHolder | null>((hashes) => {
    return find<BearerHolder>(
      hashes,
      () => db.any(sql.authenticateBearers({ hashes, ...lifetimes })),
      () => db.any(sql.findBearers({ hashes, ...lifetimes })),
    )
  })
  const findKey = batched<Buffer, KeyHolder | null>((hashes) =>
    find<KeyHolder>(
      hashes,
      () => db.any(sql.authenticateKeys({ hashes, key_limit: keyPerMinute })),
      () => db.any(sql.findKeys({ hashes })),
    ),
  )

  const allowancesOf = (holder: Holder & Partial<KeyHolder>): Allowance[] => [
    ...allowance('key', keyPerMinute, holder.key_ordinal, holder.key_seconds),
    ...allowance('user', userPerMinute, holder.user_ordinal, holder.user_seconds),
  ]
  const keyPrincipal = (holder: KeyHolder): KeyPrincipal => {
    const { user_id, key_id, key_name, scopes } = holder
    const allowances = allowancesOf(holder)
    return { kind: 'api_key', user_id, key_id, key_name, scopes, user: userOf(holder), allowances }
  }
  return {
    async findBearer(hash) {
      const holder = await findBearer(hash)
      if (!holder) return null
      const proof_age = holder.proof_age ?? Number.POSITIVE_INFINITY
      const allowances = allowancesOf(holder)
      return { kind: 'bearer', user_id: holder.user_id, token_hash: hash, proof_age, user: userOf(holder), allowances }
    },
    async findApiKey(hash) {
      const holder = await findKey(hash)
      return holder && keyPrincipal(holder)
    },
    async findKeyUncounted(hash) {
      const holder = await db.oneOrNone(sql.findKeys({ hashes: [hash] }))
      return holder && keyPrincipal(holder)
    },
  }
}

const userOf = ({ user_id, username, email }: Holder) => ({ id: user_id, username, email })

const allowance = (
  policy: Allowance['policy'],
  limit: number,
  ordinal?: number | null,
  seconds?: number | null,
): Allowance[] => (ordinal == null ? [] : [{ policy, limit, ordinal, secondsLeft: seconds ?? 60 }])
