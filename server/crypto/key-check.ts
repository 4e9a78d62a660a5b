import { type Queries, sql } from '#server/db/index.ts'
import { open, SealError, seal, sealingKey } from './seal.ts'

const keepKeyCheck = sql(import.meta.url, './sql/keep-key-check.sql')
const readKeyCheck = sql(import.meta.url, './sql/read-key-check.sql')
const replaceKeyCheck = sql(import.meta.url, './sql/replace-key-check.sql')

const place = 'secret_key_check/sealed'
const known = 'hapax'
const sealKnown = (secretKey: string) => seal(known, place, sealingKey(secretKey, 'key-check'))

/**
 * Throws where the database is used with another SECRET_KEY (32 bytes in base64): with this one no connection could be
 * read, and every seller would be asked to connect again. The first key that a database sees is its key.
 */
export async function refuseOtherKey(queries: Queries, secretKey: string): Promise<void> {
  await queries.none(keepKeyCheck, { sealed: sealKnown(secretKey) })
  const { sealed } = await queries.one<{ sealed: Buffer }>(readKeyCheck)
  try {
    open(sealed, place, sealingKey(secretKey, 'key-check'))
  } catch (error) {
    if (!(error instanceof SealError)) throw error
    throw new Error(
      'SECRET_KEY is not the one that this database is used with, so that nothing sealed in it could be read. Set the ' +
        'right one. If that is lost for good: npm run adopt-secret-key, and sellers must connect their shops again.',
      { cause: error },
    )
  }
}

/** Makes this SECRET_KEY the database's. What another one sealed stays, and opens again should that one come back. */
export async function adoptKey(queries: Queries, secretKey: string): Promise<void> {
  await queries.none(replaceKeyCheck, { sealed: sealKnown(secretKey) })
}
