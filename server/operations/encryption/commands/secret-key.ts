import { readConfig } from '#server/config.ts'
import { keptSecretKey } from '#server/infra/crypto/kept-secret-key.ts'
import { countOtherKeys } from '#server/infra/crypto/reseal.ts'
import { findEmbeddedDatabase } from '#server/infra/db/embedded.ts'
import { closeDatabase, openDatabase } from '#server/infra/db/index.ts'
import { sealedColumns } from '#server/operations/encryption/sealed-columns.ts'

/**
 * `npm run secret-key`: says how many values are not yet encrypted with SECRET_KEY, by column. Ends with 1 while there are
 * any: SECRET_KEY_PREVIOUS is still needed then.
 */
async function main(environment: Record<string, string | undefined>): Promise<number> {
  const config = readConfig(environment)
  const url = config.DATABASE_URL ?? (await findEmbeddedDatabase(config.DATA_DIR))
  if (!url) throw new Error(`No database is running on ${config.DATA_DIR}: start Hapax first, or set DATABASE_URL.`)
  const SECRET_KEY = config.SECRET_KEY ?? (await keptSecretKey(config))
  const db = openDatabase({ url, max: 1, applicationName: 'hapax-secret-key' })
  try {
    let left = 0
    for (const column of sealedColumns) {
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
