import { z } from 'zod'
import { migrate } from '../migrate.ts'

/**
 * `npm run migrate` with DATABASE_URL: migrates a large database before a new release starts, while the old release
 * runs.
 */
async function main(environment: Record<string, string | undefined>): Promise<string> {
  const url = z
    .url({ protocol: /^postgres(ql)?$/ })
    .safeParse(environment.DATABASE_DIRECT_URL || environment.DATABASE_URL)
  if (!url.success) {
    return 'DATABASE_URL must be set to a postgres:// address. The embedded database is migrated at the next start.'
  }
  const { from, to } = await migrate(url.data, {
    setting: environment.DATABASE_DIRECT_URL ? 'DATABASE_DIRECT_URL' : 'DATABASE_URL',
    onWait: (reason) => process.stdout.write(`Waiting: ${reason}.\n`),
  })
  process.stdout.write(from === to ? `The database is up to date (${to}).\n` : `Migrated from ${from} to ${to}.\n`)
  return ''
}

main(process.env).then(
  (fault) => {
    if (fault) process.stderr.write(`${fault}\n`)
    process.exit(fault ? 1 : 0)
  },
  (error: unknown) => {
    process.stderr.write(`The database could not be migrated: ${error instanceof Error ? error.message : error}\n`)
    process.exit(1)
  },
)
