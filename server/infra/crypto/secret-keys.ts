import { randomBytes } from 'node:crypto'
import type { Database, Queries } from '#server/infra/db/index.ts'
import type { RowOf } from '#server/infra/db/statement.ts'
import { transaction } from '#server/infra/db/transaction.ts'
import { decrypt, type EncryptionKey, encrypt, encryptionKey, type SecretKeys } from './encrypt.ts'
import * as sql from './queries.ts'

type KeptKey = RowOf<typeof sql.listKeys>

const [checkPlace, hashKeyPlace] = ['secret_key_check/encrypted', 'secret_key/hash_key']
const checkKey = (keys: SecretKeys) => encryptionKey(keys, 'key-check')
const hashEncryptionKey = (keys: SecretKeys) => encryptionKey(keys, 'hash-key')

/**
 * Returns the database's hash key (32 bytes in base64) after verifying that this process has the database's key. The
 * first SECRET_KEY becomes that key; a new one replaces it if SECRET_KEY_PREVIOUS matches. Throws if neither matches,
 * since nothing encrypted could be read and every seller would have to reconnect.
 */
export async function openHashKey(db: Database, keys: SecretKeys): Promise<string> {
  return transaction(db, 'open-hash-key', async (tx) => {
    await tx.none('lock table secret_key in share row exclusive mode')
    const kept = await tx.any(sql.listKeys())
    const newest = kept[0]
    if (!newest) return adoptKeyIn(tx, keys, randomBytes(32).toString('base64'))
    const own = checkKey(keys)
    if (newest.key_id.equals(own.id)) return hashKeyOf(newest, keys)
    if (!own.previous || !newest.key_id.equals(own.previous.id)) throw otherKey()
    const hashKey = hashKeyOf(newest, { SECRET_KEY: keys.SECRET_KEY_PREVIOUS })
    // A process that still uses the replaced key must not restore it.
    const isReplaced = kept.some(({ key_id }) => key_id.equals(own.id))
    return isReplaced ? hashKey : adoptKeyIn(tx, keys, hashKey)
  })
}

/** Returns whether SECRET_KEY is the database's key, so that values of other keys are to be re-encrypted. */
export async function isDatabaseKey(queries: Queries, keys: SecretKeys): Promise<boolean> {
  const [newest] = await queries.any(sql.listKeys())
  return newest?.key_id.equals(checkKey(keys).id) ?? false
}

/**
 * Makes SECRET_KEY the database's key after a loss, with a new hash key. Values of the lost key stay, and decrypt again
 * should that key return.
 */
export async function adoptKey(queries: Queries, keys: SecretKeys): Promise<void> {
  await adoptKeyIn(queries, { SECRET_KEY: keys.SECRET_KEY }, randomBytes(32).toString('base64'))
}

async function adoptKeyIn(queries: Queries, keys: SecretKeys, hashKey: string): Promise<string> {
  const key = checkKey(keys)
  await queries.none(
    sql.adoptKey({
      key_id: key.id,
      encrypted_check: encrypt('hapax', checkPlace, key),
      encrypted_hash_key: encrypt(hashKey, hashKeyPlace, hashEncryptionKey(keys)),
    }),
  )
  return hashKey
}

/** Decrypts the hash key of a row. */
function hashKeyOf({ encrypted_check, encrypted_hash_key }: KeptKey, keys: SecretKeys): string {
  const own: EncryptionKey = checkKey({ SECRET_KEY: keys.SECRET_KEY })
  decrypt(encrypted_check, checkPlace, own)
  return encrypted_hash_key ? decrypt(encrypted_hash_key, hashKeyPlace, hashEncryptionKey(keys)) : keys.SECRET_KEY!
}

const otherKey = () =>
  new Error(
    'SECRET_KEY is not the one that this database is used with, so nothing encrypted in it could be read. Set the right ' +
      'one, or set it as SECRET_KEY_PREVIOUS to replace it. If it is lost for good: npm run adopt-secret-key, and sellers ' +
      'must connect their shops again.',
  )
