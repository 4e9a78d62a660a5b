import { readConfig } from '#server/config.ts'
import { sandboxSecretKey } from '#server/infra/crypto/sandbox-secret-key.ts'
import { adoptKey } from '#server/infra/crypto/secret-keys.ts'
import { findEmbeddedDatabase, startEmbeddedDatabase } from '#server/infra/db/embedded.ts'
import { closeDatabase, openDatabase } from '#server/infra/db/index.ts'
import { migrate } from '#server/infra/db/migrate.ts'

/**
 * `npm run adopt-secret-key`: accepts a new SECRET_KEY after the old one was lost. Reads SECRET_KEY and DATABASE_URL
 * (or DATA_DIR) as a start does. Sellers must reconnect their shops and rotate their webhook secrets.
 */
async function main(environment: Record<string, string | undefined>): Promise<void> {
  const config = readConfig(environment)
  const secretKey = config.SECRET_KEY ?? (await sandboxSecretKey(config))
  const running = config.DATABASE_URL ?? (await findEmbeddedDatabase(config.DATA_DIR))
  const started = running ? null : await startEmbeddedDatabase(config.DATA_DIR)
  const url = running ?? started!.url
  try {
    await migrate(url)
    const db = openDatabase({ url, max: 1, applicationName: 'hapax-adopt-key' })
    await adoptKey(db, { SECRET_KEY: secretKey }).finally(() => closeDatabase(db))
  } finally {
    await started?.stop()
  }
}

main(process.env).then(
  () => {
    process.stdout.write('The database is used with this SECRET_KEY from now on. Start Hapax again.\n')
    process.exit(0)
  },
  (error: unknown) => {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
    process.exit(1)
  },
)
