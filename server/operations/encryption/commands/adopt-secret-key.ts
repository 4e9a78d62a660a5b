import { readConfig } from '#server/config.ts'
import { keptSecretKey } from '#server/infra/crypto/kept-secret-key.ts'
import { adoptKey } from '#server/infra/crypto/secret-keys.ts'
import { findEmbeddedDatabase, startEmbeddedDatabase } from '#server/infra/db/embedded.ts'
import { closeDatabase, openDatabase } from '#server/infra/db/index.ts'
import { migrate } from '#server/infra/db/migrate.ts'

/**
 * The operator's command where a SECRET_KEY is lost for good, with the new one and DATABASE_URL (or DATA_DIR) set as for a
 * start: `npm run adopt-secret-key`. Sellers then connect their shops again, and rotate the secrets of their webhooks.
 */
async function main(environment: Record<string, string | undefined>): Promise<void> {
  const config = readConfig(environment)
  const secretKey = config.SECRET_KEY ?? (await keptSecretKey(config))
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
