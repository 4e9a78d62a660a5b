import { randomBytes } from 'node:crypto'
import { type Database, type Queries, sql } from '#server/infra/db/index.ts'
import { open, type SealingKey, type SecretKeys, seal, sealingKey } from './seal.ts'

const listKeys = sql(import.meta.url, './sql/list-keys.sql')
const adopt = sql(import.meta.url, './sql/adopt-key.sql')

interface KeptKey {
  key_id: Buffer
  encrypted_check: Buffer
  encrypted_hash_key: Buffer | null
}

const [checkPlace, hashKeyPlace] = ['secret_key_check/sealed', 'secret_key/hash_key']
const checkKey = (keys: SecretKeys) => sealingKey(keys, 'key-check')
const hashSealingKey = (keys: SecretKeys) => sealingKey(keys, 'hash-key')

/**
 * Returns the database's hash key (32 bytes in base64) after checking that this process has the database's key. The first
 * SECRET_KEY that a database sees becomes its key. A new SECRET_KEY replaces it when SECRET_KEY_PREVIOUS is the database's
 * key. Throws when neither is: nothing encrypted could be read, and every seller would have to connect again.
 */
export async function openHashKey(db: Database, keys: SecretKeys): Promise<string> {
  return db.tx('open-hash-key', async (tx) => {
    await tx.none('lock table secret_key in share row exclusive mode')
    const kept = await tx.any<KeptKey>(listKeys)
    const newest = kept[0]
    if (!newest) return adoptKeyIn(tx, keys, randomBytes(32).toString('base64'))
    const own = checkKey(keys)
    if (newest.key_id.equals(own.id)) return hashKeyOf(newest, keys)
    if (!own.previous || !newest.key_id.equals(own.previous.id)) throw otherKey()
    const hashKey = hashKeyOf(newest, { SECRET_KEY: keys.SECRET_KEY_PREVIOUS })
    // A process that still writes with the replaced key must not make it the database's key again.
    const isReplaced = kept.some(({ key_id }) => key_id.equals(own.id))
    return isReplaced ? hashKey : adoptKeyIn(tx, keys, hashKey)
  })
}

/** Returns whether SECRET_KEY is the database's key, so that values under other keys are to be encrypted with it. */
export async function isDatabaseKey(queries: Queries, keys: SecretKeys): Promise<boolean> {
  const [newest] = await queries.any<KeptKey>(listKeys)
  return newest?.key_id.equals(checkKey(keys).id) ?? false
}

/**
 * Makes SECRET_KEY the database's key where the right one is lost for good, with a new hash key. Values under the lost key
 * stay, and open again should that key come back.
 */
export async function adoptKey(queries: Queries, keys: SecretKeys): Promise<void> {
  await adoptKeyIn(queries, { SECRET_KEY: keys.SECRET_KEY }, randomBytes(32).toString('base64'))
}

async function adoptKeyIn(queries: Queries, keys: SecretKeys, hashKey: string): Promise<string> {
  const key = checkKey(keys)
  await queries.none(adopt, {
    key_id: key.id,
    encrypted_check: seal('hapax', checkPlace, key),
    encrypted_hash_key: seal(hashKey, hashKeyPlace, hashSealingKey(keys)),
  })
  return hashKey
}

/** Opens the hash key of a row with the key that the row names. */
function hashKeyOf({ encrypted_check, encrypted_hash_key }: KeptKey, keys: SecretKeys): string {
  const own: SealingKey = checkKey({ SECRET_KEY: keys.SECRET_KEY })
  open(encrypted_check, checkPlace, own)
  return encrypted_hash_key ? open(encrypted_hash_key, hashKeyPlace, hashSealingKey(keys)) : keys.SECRET_KEY!
}

const otherKey = () =>
  new Error(
    'SECRET_KEY is not the one that this database is used with, so nothing encrypted in it could be read. Set the right ' +
      'one, or set it as SECRET_KEY_PREVIOUS to replace it. If it is lost for good: npm run adopt-secret-key, and sellers ' +
      'must connect their shops again.',
  )
