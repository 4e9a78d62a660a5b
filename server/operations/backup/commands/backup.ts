import { join } from 'node:path'
import { recordBackup } from '#server/accounts/registration/ownership.ts'
import { readConfig } from '#server/config.ts'
import { findEmbeddedDatabase } from '#server/infra/db/embedded.ts'
import { closeDatabase, type Database, openDatabase } from '#server/infra/db/index.ts'
import { backUpEmbedded, restoreEmbedded } from '../copy-embedded.ts'
import { runTool } from '../run-tool.ts'

/**
 * `npm run backup -- PLACE` writes the database of DATABASE_URL to a new file, or everything of the embedded one to a new
 * folder; `npm run restore -- PLACE` fills an empty database, or an empty DATA_DIR, from it.
 */
async function main([command, place]: string[], environment: Record<string, string | undefined>): Promise<string> {
  if ((command !== 'backup' && command !== 'restore') || !place) {
    throw new Error('Name the place: npm run backup -- hapax.dump, npm run restore -- hapax.dump.')
  }
  const config = readConfig(environment)
  const { DATABASE_URL: url, DATA_DIR } = config
  const images = config.S3_BUCKET_URL ? null : (config.IMAGES_DIR ?? join(DATA_DIR, 'images'))
  const photos = images ?? config.S3_BUCKET_URL
  if (command === 'backup') {
    const running = url ?? (await findEmbeddedDatabase(DATA_DIR))
    if (!running) throw new Error('No database is running: start Hapax first, or set DATABASE_URL.')
    if (url) await runTool('pg_dump', ['--format=custom', '--no-owner', `--file=${place}`], url, environment)
    else await backUpEmbedded(running, DATA_DIR, images, place)
    const recorded = await withDatabase(running, recordBackup).then(
      () => '',
      (error: Error) => ` It could not be recorded, so the app does not know of it: ${error.message}`,
    )
    return url
      ? `The database is in ${place}. Now copy the photos (${photos}), and keep SECRET_KEY elsewhere.${recorded}`
      : `Database, photos and keys are in ${place}. Keep it on another disk.${recorded}`
  }
  if (!url) {
    await restoreEmbedded(place, DATA_DIR, images)
    return `${DATA_DIR} is restored. Start with PAUSED=on first, or this copy acts like the original.`
  }
  await withDatabase(url, refuseFilled)
  await runTool('pg_restore', ['--no-owner', '--exit-on-error', '--single-transaction', place], url, environment)
  return `The database is restored. Copy the photos to ${photos}. Then start with PAUSED=on, or this copy acts like the original.`
}

async function withDatabase(url: string, work: (db: Database) => Promise<unknown>): Promise<void> {
  const db = openDatabase({ url, max: 1, applicationName: 'hapax-backup' })
  await work(db).finally(() => closeDatabase(db))
}

async function refuseFilled(db: Database): Promise<void> {
  const { tables } = await db.one<{ tables: number }>(
    "select count(*)::integer as tables from pg_tables where schemaname not in ('pg_catalog', 'information_schema')",
  )
  if (tables > 0) {
    throw new Error(`The database of DATABASE_URL has ${tables} tables already. Restore into an empty one.`)
  }
}

main(process.argv.slice(2), process.env).then(
  (text) => process.stdout.write(`${text}\n`),
  (error: Error) => {
    process.stderr.write(`${error.message}\n`)
    process.exitCode = 1
  },
)
