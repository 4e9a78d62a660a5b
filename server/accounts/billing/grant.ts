import { pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'
import { readConfig } from '#server/config.ts'
import { findEmbeddedDatabase } from '#server/infra/db/embedded.ts'
import { closeDatabase, openDatabase, type Queries, sql } from '#server/infra/db/index.ts'

const grantByEmail = sql(import.meta.url, './sql/grant-by-email.sql')

/**
 * Gives the account of an email address a subscription through a day (UTC) or until a time. Returns its end; null
 * without such an account. Throws for an invalid date.
 */
export async function grantSubscription(queries: Queries, email: string, until: string): Promise<string | null> {
  const day = /^\d{4}-\d{2}-\d{2}$/.test(until)
  const ends = new Date(day ? `${until}T23:59:59Z` : until)
  if (Number.isNaN(ends.getTime()) || (day && !ends.toISOString().startsWith(until))) {
    throw new Error(`"${until}" is no date such as 2027-12-31`)
  }
  const row = await queries.oneOrNone<{ ends_at: string }>(grantByEmail, {
    email: email.trim(),
    until: ends.toISOString(),
  })
  return row?.ends_at ?? null
}

/** Runs `npm run subscription -- --email seller@example.com --until 2027-12-31`. */
async function main(argv: string[], environment: Record<string, string | undefined>): Promise<string> {
  const { values } = parseArgs({ args: argv, options: { email: { type: 'string' }, until: { type: 'string' } } })
  if (!values.email || !values.until) {
    throw new Error('Say whom and until when: npm run subscription -- --email seller@example.com --until 2027-12-31')
  }
  const config = readConfig(environment)
  const url = config.DATABASE_URL ?? (await findEmbeddedDatabase(config.DATA_DIR))
  if (!url) throw new Error(`No database is running on ${config.DATA_DIR}: start Hapax first, or set DATABASE_URL.`)
  const db = openDatabase({ url, max: 1, applicationName: 'hapax-grant' })
  try {
    const ends = await grantSubscription(db, values.email, values.until)
    if (!ends) throw new Error(`There is no active account with the email address ${values.email}.`)
    return `${values.email} has a subscription until ${ends}.`
  } finally {
    await closeDatabase(db)
  }
}

/** Run as a program. */
if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  main(process.argv.slice(2), process.env).then(
    (said) => process.stdout.write(`${said}\n`),
    (error: unknown) => {
      process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
      // Exit at once: the embedded database's exit hook would exit with 0.
      process.exit(1)
    },
  )
}
