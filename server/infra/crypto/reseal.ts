import { type Database, sql } from '#server/infra/db/index.ts'
import { open, SealError, type SecretKeys, seal, sealingKey } from './seal.ts'

const listSealed = sql(import.meta.url, './sql/list-encrypted.sql')
const replaceSealed = sql(import.meta.url, './sql/replace-encrypted.sql')
const countSealed = sql(import.meta.url, './sql/count-encrypted.sql')

/** A column of encrypted values. */
export interface SealedColumn {
  table: string
  column: string
  /** The columns that name a row. */
  key: string[]
  /** The purpose of its key (sealingKey). */
  purpose: string
  /** Where a value belongs (the AAD of `seal`), by the row's key. */
  placeOf(row: Record<string, unknown>): string
}

/** Rows of one statement. */
const batchSize = 200

/**
 * Encrypts with SECRET_KEY what SECRET_KEY_PREVIOUS encrypted, and returns how many values it changed. Safe beside writers
 * and other processes: a value that changed meanwhile is left alone. A value that does not open is skipped.
 */
export async function reseal(
  db: Database,
  keys: SecretKeys,
  column: SealedColumn,
  signal?: AbortSignal,
): Promise<number> {
  const key = sealingKey(keys, column.purpose)
  if (!key.previous) return 0
  const names = { table: column.table, column: column.column, key: column.key }
  let [changed, skipped] = [0, 0]
  while (!signal?.aborted) {
    const rows = await db.any<Record<string, unknown> & { sealed: Buffer }>(listSealed, {
      ...names,
      key_id: key.previous.id,
      skipped,
      limit: batchSize,
    })
    for (const { sealed, ...row } of rows) {
      const place = column.placeOf(row)
      const plain = openOrNull(() => open(sealed, place, key))
      if (plain === null) {
        skipped++
        continue
      }
      const values = { ...names, row: column.key.map((name) => row[name]), sealed, resealed: seal(plain, place, key) }
      changed += (await db.result(replaceSealed, values)).rowCount
    }
    if (rows.length < batchSize) break
  }
  return changed
}

/** Returns how many values of a column SECRET_KEY did not encrypt. */
export async function countOtherKeys(db: Database, keys: SecretKeys, column: SealedColumn): Promise<number> {
  const { id } = sealingKey(keys, column.purpose)
  const { count } = await db.one<{ count: number }>(countSealed, {
    table: column.table,
    column: column.column,
    key_id: id,
  })
  return count
}

function openOrNull(work: () => string): string | null {
  try {
    return work()
  } catch (error) {
    if (error instanceof SealError) return null
    throw error
  }
}
