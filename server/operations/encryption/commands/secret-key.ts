import { readConfig } from '#server/config.ts'
import { countOtherKeys } from '#server/infra/crypto/re-encrypt.ts'
import { commandSecretKey } from '#server/infra/crypto/sandbox-secret-key.ts'
import { findEmbeddedDatabase } from '#server/infra/db/embedded.ts'
import { closeDatabase, openDatabase } from '#server/infra/db/index.ts'
import { encryptedColumns } from '#server/operations/encryption/encrypted-columns.ts'

/**
 * `npm run secret-key`: counts the values per column that SECRET_KEY has not encrypted yet. Exits with 1 while there
 * are any, since SECRET_KEY_PREVIOUS is still needed.
 */
async function main(environment: Record<string, string | undefined>): Promise<number> {
  const config = readConfig(environment)
  const url = config.DATABASE_URL ?? (await findEmbeddedDatabase(config.DATA_DIR))
  if (!url) throw new Error(`No database is running on ${config.DATA_DIR}: start Hapax first, or set DATABASE_URL.`)
  const SECRET_KEY = await commandSecretKey(config)
  const db = openDatabase({ url, max: 1, applicationName: 'hapax-secret-key' })
  try {
    let left = 0
    for (const column of encryptedColumns) {
      const count = await countOtherKeys(db, { SECRET_KEY }, column)
      if (count > 0) process.stdout.write(`${column.table}.${column.column}: ${count} under another key\n`)
      left += count
    }
    process.stdout.write(
      left === 0
        ? 'Every stored value is encrypted with SECRET_KEY. SECRET_KEY_PREVIOUS can be removed a day after the rotation.\n'
        : `${left} values are not encrypted with SECRET_KEY. Keep SECRET_KEY_PREVIOUS while a worker encrypts them anew.\n`,
    )
    return left === 0 ? 0 : 1
  } finally {
    await closeDatabase(db)
  }
}

main(process.env).then(
  (code) => process.exit(code),
  (error: unknown) => {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
    process.exit(1)
  },
)
