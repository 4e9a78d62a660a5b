import pgPromise from 'pg-promise'
import type { Allowance } from '#server/http/allowance.ts'
import type { CredentialStore, Principal } from '#server/http/authenticate.ts'
import { batched } from '#server/http/batch.ts'
import { type LimitSettings, realLimits } from '#server/http/limit-settings.ts'
import { createMemoryCounts, type MemoryCounts } from '#server/http/memory-counts.ts'
import { type Database, refusesWrites, sql } from '#server/infra/db/index.ts'
import type { Scope } from '#shared/contract/route.ts'
import { type SessionLifetimes, usualLifetimes } from './sessions/lifetimes.ts'

const enterBearers = new pgPromise.PreparedStatement({
  name: 'enter-bearers',
  text: sql(import.meta.url, './sql/enter-bearers.sql'),
})
const enterKeys = new pgPromise.PreparedStatement({
  name: 'enter-keys',
  text: sql(import.meta.url, './sql/enter-keys.sql'),
})

const findBearers = sql(import.meta.url, './sql/find-bearers.sql')
const findKeys = sql(import.meta.url, './sql/find-keys.sql')

interface Found {
  /** Which of the asked credentials this is, from 0. */
  place: number
  user_id: number
  key_id: string | null
  key_name?: string
  scopes: Scope[] | null
  username: string
  email: string | null
  /** Of a session: seconds since its holder last proved who they are. */
  proof_age?: number
}

interface Holder extends Found {
  key_count: number | null
  key_seconds: number | null
  user_count: number | null
  user_seconds: number | null
}

/**
 * Credentials by their hash, straight from the database: a credential that has ended is never answered from memory.
 * All that arrive in one tick are one query, which also counts them against the limits of their key and user. A lookup and
 * a count apart, for each request, reach 55 to 60 % of a handler that only looks up, and 80 % are promised. While the
 * database refuses writes, each process counts by itself and reads go on.
 */
export function databaseCredentials(
  db: Database,
  settings: LimitSettings = realLimits,
  { idle, absolute }: SessionLifetimes = usualLifetimes,
): CredentialStore {
  const here = createMemoryCounts()
  const orCountedHere = (error: unknown, asked: Batch, find: () => Promise<Found[]>) => {
    if (!refusesWrites(error)) throw error
    return find().then((rows) => countHere(rows, asked[1], here, settings))
  }
  const findBearer = batched<Buffer, Principal | null>((hashes) =>
    findAll(settings, hashes, (asked) =>
      db
        .any<Holder>(enterBearers, [...asked, idle, absolute])
        .catch((error: unknown) => orCountedHere(error, asked, () => db.any(findBearers, [...asked, idle, absolute]))),
    ),
  )
  const findKey = batched<Buffer, Principal | null>((hashes) =>
    findAll(settings, hashes, (asked) =>
      db
        .any<Holder>(enterKeys, [...asked, settings.keyPerMinute])
        .catch((error: unknown) => orCountedHere(error, asked, () => db.any(findKeys, asked))),
    ),
  )
  return {
    async findBearer(tokenHash) {
      const principal = await findBearer(tokenHash)
      return principal?.kind === 'bearer' ? principal : null
    },
    async findApiKey(keyHash) {
      const principal = await findKey(keyHash)
      return principal?.kind === 'api_key' ? principal : null
    },
  }
}

/** One credential of a batch, and how many requests brought it. */
interface Asked {
  hash: Buffer
  n: number
}

/** The hashes, one after the other, and how many requests brought each. */
type Batch = [Buffer, number[]]

async function findAll(
  settings: LimitSettings,
  hashes: Buffer[],
  enter: (asked: Batch) => Promise<Holder[]>,
): Promise<(Principal | null)[]> {
  const places = new Map<string, number>()
  const asked: Asked[] = []
  const placeOf = hashes.map((hash) => {
    const name = hash.toString('latin1')
    const known = places.get(name)
    if (known !== undefined) {
      ;(asked[known] as Asked).n++
      return known
    }
    places.set(name, asked.length)
    return asked.push({ hash, n: 1 }) - 1
  })
  // One binary value: the driver writes a list of buffers three times as slowly, as text.
  const rows = await enter([Buffer.concat(asked.map(({ hash }) => hash)), asked.map(({ n }) => n)])
  const holders: (Holder | undefined)[] = []
  for (const row of rows) holders[row.place] = row
  const counts = countsBefore(rows, asked, settings)
  return placeOf.map((place, index) => {
    const holder = holders[place]
    return holder ? principalOf(holder, hashes[index] as Buffer, settings, counts) : null
  })
}

/** What the queries that enter would have counted, counted in this process. */
function countHere(rows: Found[], brought: number[], here: MemoryCounts, settings: LimitSettings): Holder[] {
  const keys = rows.map(({ place, key_id }) => (key_id === null ? null : here.add(`k:${key_id}`, brought[place] ?? 0)))
  const users = new Map<number, ReturnType<MemoryCounts['add']>>()
  for (const [index, { place, user_id }] of rows.entries()) {
    const [n, key] = [brought[place] ?? 0, keys[index]]
    const admitted = key ? Math.max(0, Math.min(n, settings.keyPerMinute - (key.count - n))) : n
    users.set(user_id, here.add(`u:${user_id}`, admitted))
  }
  return rows.map((row, index) => ({
    ...row,
    key_count: keys[index]?.count ?? null,
    key_seconds: keys[index]?.seconds ?? null,
    user_count: users.get(row.user_id)?.count ?? null,
    user_seconds: users.get(row.user_id)?.seconds ?? null,
  }))
}

/** How many requests of the minute each key and each user had before this batch. */
function countsBefore(rows: Holder[], asked: Asked[], settings: LimitSettings) {
  const keys = new Map<string, number>()
  const users = new Map<number, number>()
  for (const row of rows) {
    const n = asked[row.place]?.n ?? 0
    const before = (row.key_count ?? 0) - n
    if (row.key_id !== null) keys.set(row.key_id, before)
    // As the query counts: what the key's limit refused is not held against the user.
    const admitted = row.key_id === null ? n : Math.max(0, Math.min(n, settings.keyPerMinute - before))
    users.set(row.user_id, (users.get(row.user_id) ?? row.user_count ?? 0) - admitted)
  }
  return { keys, users }
}

function principalOf(
  holder: Holder,
  hash: Buffer,
  settings: LimitSettings,
  counts: { keys: Map<string, number>; users: Map<number, number> },
): Principal {
  const next = <Key>(map: Map<Key, number>, key: Key) => {
    const ordinal = (map.get(key) ?? 0) + 1
    map.set(key, ordinal)
    return ordinal
  }
  const allowances: Allowance[] = []
  if (holder.key_id !== null) {
    const ordinal = next(counts.keys, holder.key_id)
    allowances.push({ policy: 'key', limit: settings.keyPerMinute, ordinal, secondsLeft: holder.key_seconds ?? 60 })
  }
  if (holder.key_id === null || (allowances[0]?.ordinal ?? 0) <= settings.keyPerMinute) {
    const ordinal = next(counts.users, holder.user_id)
    allowances.push({ policy: 'user', limit: settings.userPerMinute, ordinal, secondsLeft: holder.user_seconds ?? 60 })
  }
  const user = { id: holder.user_id, username: holder.username, email: holder.email }
  return holder.key_id === null
    ? {
        kind: 'bearer',
        user_id: holder.user_id,
        token_hash: hash,
        proof_age: holder.proof_age ?? Number.POSITIVE_INFINITY,
        user,
        allowances,
      }
    : {
        kind: 'api_key',
        user_id: holder.user_id,
        key_id: holder.key_id,
        key_name: holder.key_name ?? '',
        scopes: holder.scopes ?? [],
        user,
        allowances,
      }
}
