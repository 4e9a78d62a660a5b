import type { Database } from '#server/infra/db/index.ts'
import { DecryptionError, decryptBytes, encrypt, encryptionKey, type SecretKeys } from './encrypt.ts'

// Here, since names of tables and columns cannot be bound. A value's bytes 2 to 5 name its key. Skips values that did not
// decrypt before, and does not replace one that changed meanwhile.
const listEncrypted = `select $<key:name>, $<column:name> as encrypted
from $<table:name>
where substr($<column:name>, 2, 4) = $<key_id>
order by $<key:name>
limit $<limit> offset $<skipped>`
const replaceEncrypted = `update $<table:name> set $<column:name> = $<reencrypted>
where ($<key:name>) = ($<row:csv>) and $<column:name> = $<encrypted>`
const countUnderOtherKeys = `select count(*)::integer as count from $<table:name>
where $<column:name> is not null and substr($<column:name>, 2, 4) <> $<key_id>`

/** A column of encrypted values. */
export interface EncryptedColumn {
  table: string
  column: string
  /** The columns of the primary key. */
  key: string[]
  /** The purpose of its key (encryptionKey). */
  purpose: string
  /** Returns the place of a value (the AAD of `encrypt`) by the row's key. */
  placeOf(row: Record<string, unknown>): string
  /** Rows per statement, where values are large. */
  batchSize?: number
}

/** Rows per statement by default. */
const usualBatch = 200

/**
 * Encrypts values of SECRET_KEY_PREVIOUS with SECRET_KEY and returns their number. Safe beside other processes: skips
 * values that changed meanwhile, and values that do not decrypt.
 */
export async function reencrypt(
  db: Database,
  keys: SecretKeys,
  column: EncryptedColumn,
  signal?: AbortSignal,
): Promise<number> {
  const key = encryptionKey(keys, column.purpose)
  if (!key.previous) return 0
  const names = { table: column.table, column: column.column, key: column.key }
  const batchSize = column.batchSize ?? usualBatch
  let [changed, skipped] = [0, 0]
  while (!signal?.aborted) {
    const rows = await db.any<Record<string, unknown> & { encrypted: Buffer }>(listEncrypted, {
      ...names,
      key_id: key.previous.id,
      skipped,
      limit: batchSize,
    })
    for (const { encrypted, ...row } of rows) {
      const place = column.placeOf(row)
      const plain = decryptOrNull(() => decryptBytes(encrypted, place, key))
      if (plain === null) {
        skipped++
        continue
      }
      const values = {
        ...names,
        row: column.key.map((name) => row[name]),
        encrypted,
        reencrypted: encrypt(plain, place, key),
      }
      changed += (await db.result(replaceEncrypted, values)).rowCount
    }
    if (rows.length < batchSize) break
  }
  return changed
}

/** Counts the values of a column that SECRET_KEY did not encrypt. */
export async function countOtherKeys(db: Database, keys: SecretKeys, column: EncryptedColumn): Promise<number> {
  const { id } = encryptionKey(keys, column.purpose)
  const { count } = await db.one<{ count: number }>(countUnderOtherKeys, {
    table: column.table,
    column: column.column,
    key_id: id,
  })
  return count
}

function decryptOrNull(work: () => Buffer): Buffer | null {
  try {
    return work()
  } catch (error) {
    if (error instanceof DecryptionError) return null
    throw error
  }
}
