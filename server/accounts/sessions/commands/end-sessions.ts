import { pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'
import { readConfig } from '#server/config.ts'
import { findEmbeddedDatabase } from '#server/infra/db/embedded.ts'
import { closeDatabase, openDatabase, type Queries } from '#server/infra/db/index.ts'
import * as sessionsSql from '../queries.ts'

/**
 * Ends all sessions of an account (its email address or user name). Returns their number; null without such an account.
 */
export async function endSessionsOf(queries: Queries, account: string): Promise<number | null> {
  const row = await queries.oneOrNone(sessionsSql.endByAccount({ account: account.trim() }))
  return row?.ended ?? null
}

/** Runs `npm run end-sessions -- --account seller@example.com`. */
async function main(argv: string[], environment: Record<string, string | undefined>): Promise<string> {
  const { values } = parseArgs({ args: argv, options: { account: { type: 'string' } } })
  if (!values.account) throw new Error('Say whose: npm run end-sessions -- --account seller@example.com')
  const config = readConfig(environment)
  const url = config.DATABASE_URL ?? (await findEmbeddedDatabase(config.DATA_DIR))
  if (!url) throw new Error(`No database is running on ${config.DATA_DIR}: start Hapax first, or set DATABASE_URL.`)
  const db = openDatabase({ url, max: 1, applicationName: 'hapax-end-sessions' })
  try {
    const ended = await endSessionsOf(db, values.account)
    if (ended === null) throw new Error(`There is no account ${values.account}.`)
    return `${ended} sessions of ${values.account} were ended. API keys are not affected.`
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
