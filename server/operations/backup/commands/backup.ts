import { readConfig } from '#server/config.ts'
import { findEmbeddedDatabase } from '#server/infra/db/embedded.ts'
import { closeDatabase, openDatabase } from '#server/infra/db/index.ts'
import { runTool } from '../run-tool.ts'

/** `npm run backup -- FILE` writes the database to a new file; `npm run restore -- FILE` fills an empty database from one. */
async function main([command, file]: string[], environment: Record<string, string | undefined>): Promise<string> {
  if ((command !== 'backup' && command !== 'restore') || !file) {
    throw new Error('Name the file: npm run backup -- hapax.dump, npm run restore -- hapax.dump.')
  }
  const config = readConfig(environment)
  const photos = config.S3_BUCKET_URL ?? config.IMAGES_DIR ?? `${config.DATA_DIR}/images`
  if (command === 'backup') {
    const url = config.DATABASE_URL ?? (await findEmbeddedDatabase(config.DATA_DIR))
    if (!url) throw new Error('No database is running: start Hapax first, or set DATABASE_URL.')
    await runTool('pg_dump', ['--format=custom', '--no-owner', `--file=${file}`], url, environment)
    return `The database is in ${file}. Now copy the photos (${photos}), and keep SECRET_KEY elsewhere.`
  }
  const url = config.DATABASE_URL
  if (!url) throw new Error('Set DATABASE_URL to an empty database, made with createdb.')
  await refuseFilled(url)
  await runTool('pg_restore', ['--no-owner', '--exit-on-error', '--single-transaction', file], url, environment)
  return `The database is restored. Copy the photos to ${photos}. Then start with PAUSED=on, or this copy acts like the original.`
}

async function refuseFilled(url: string): Promise<void> {
  const db = openDatabase({ url, max: 1, applicationName: 'hapax-restore' })
  try {
    const { tables } = await db.one<{ tables: number }>(
      "select count(*)::integer as tables from pg_tables where schemaname not in ('pg_catalog', 'information_schema')",
    )
    if (tables > 0)
      throw new Error(`The database of DATABASE_URL has ${tables} tables already. Restore into an empty one.`)
  } finally {
    await closeDatabase(db)
  }
}

main(process.argv.slice(2), process.env).then(
  (text) => process.stdout.write(`${text}\n`),
  (error: Error) => {
    process.stderr.write(`${error.message}\n`)
    process.exitCode = 1
  },
)
