import { pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'
import { removeTotp } from '#server/accounts/auth/second-factor/totp.ts'
import { normalizeEmail } from '#server/accounts/contact/email.ts'
import { readPhone } from '#server/accounts/contact/phone.ts'
import { type Contact, isReserved } from '#server/accounts/contact/reserved-contacts.ts'
import { type Config, readConfig } from '#server/config.ts'
import { createAuditTrail } from '#server/infra/audit/record.ts'
import { sandboxSecretKey } from '#server/infra/crypto/sandbox-secret-key.ts'
import { openHashKey } from '#server/infra/crypto/secret-keys.ts'
import { findEmbeddedDatabase } from '#server/infra/db/embedded.ts'
import { closeDatabase, type Database, openDatabase, sql } from '#server/infra/db/index.ts'
import { HttpProblem } from '#server/infra/errors.ts'
import { openJobs } from '#server/infra/jobs/index.ts'
import { createLog } from '#server/infra/log/log.ts'
import type { Services } from '#server/services.ts'
import { eraseAccount, keptDays } from '../erase-account.ts'
import { exportAccount } from '../export-account.ts'

const findAccounts = sql(import.meta.url, '../sql/find-accounts.sql')
const reopen = sql(import.meta.url, '../sql/reopen-account.sql')

const usage = `npm run account -- find --email ada@example.com     shows an account (or --phone +14155550100, --id 12)
npm run account -- reopen --id 12 --yes             opens a closed account again, within ${keptDays} days
npm run account -- export --id 12                   writes everything about an account as JSON
npm run account -- erase --id 12 --yes              erases a closed account's data now
npm run account -- remove-app --id 12 --yes         removes a lost authenticator app, with its recovery codes
With --json answers are JSON.`

type SupportServices = Pick<Services, 'db' | 'config' | 'jobs' | 'audit'>

interface Account {
  id: number
  email: string | null
  state: string
  deactivated_at: string | null
  erased_from: string | null
  erased_at: string | null
}

/** The result of a command, as data and in words. */
interface Answer {
  json: unknown
  words: string
}

/**
 * Runs the support command: `find`, `reopen`, `export`, `erase` or `remove-app`. Changes require `--yes`. Throws the
 * reason in words for the operator.
 */
export async function runAccountCommand(
  services: SupportServices,
  argv: string[],
  write: (text: string) => unknown,
): Promise<void> {
  const { values, positionals } = parseArgs({
    args: argv,
    allowPositionals: true,
    options: {
      email: { type: 'string' },
      phone: { type: 'string' },
      id: { type: 'string' },
      yes: { type: 'boolean', default: false },
      json: { type: 'boolean', default: false },
    },
  })
  const [command] = positionals
  if (!command || positionals.length > 1 || !['find', 'reopen', 'export', 'erase', 'remove-app'].includes(command)) {
    throw new Error(usage)
  }
  const account = await findOne(services, values)
  if (command === 'export') {
    for await (const part of exportAccount(services.db, account.id, new Date())) write(part)
    write('\n')
    return
  }
  const answer =
    command === 'find'
      ? { json: account, words: inWords(account) }
      : command === 'remove-app'
        ? await removeApp(services, account, values.yes)
        : await change(services, command as 'reopen' | 'erase', account, values.yes)
  write(`${values.json ? JSON.stringify(answer.json) : answer.words}\n`)
}

async function findOne(
  { db, config }: { db: Database; config: Config },
  given: { email?: string; phone?: string; id?: string },
): Promise<Account> {
  const email = given.email === undefined ? null : normalizeEmail(given.email)
  const verdict = given.phone === undefined ? null : readPhone(given.phone, config.SMS_COUNTRIES)
  const phone = verdict && 'phone' in verdict ? verdict.phone : null
  const id = given.id !== undefined && /^\d{1,9}$/.test(given.id) ? Number(given.id) : null
  if (email === null && phone === null && id === null) throw new Error(`Say which account.\n\n${usage}`)
  const found = await db.any<Account>(findAccounts, { id, email, phone, kept_days: keptDays })
  if (found.length > 1) throw new Error(`These name several accounts: ${found.map((each) => each.id).join(', ')}.`)
  if (found[0]) return found[0]
  const contacts: Contact[] = [...(email === null ? [] : [{ email }]), ...(phone === null ? [] : [{ phone }])]
  if (contacts.length > 0 && (await isReserved(config, db, contacts))) {
    throw new Error('The account was closed, and its data is erased. The address stays reserved.')
  }
  throw new Error('There is no such account.')
}

/** Removes a lost authenticator app, mails the owner and records support in the audit trail. */
async function removeApp(services: SupportServices, account: Account, isConfirmed: boolean): Promise<Answer> {
  if (!isConfirmed) {
    throw new Error(
      `This lets anybody with the password of ${nameOf(account)} sign in without a code. Make sure who asks, then add --yes.`,
    )
  }
  await removeTotp(services, account.id).catch((error: unknown) => {
    if (error instanceof HttpProblem) throw new Error(`Account ${account.id} is closed, or has no authenticator app.`)
    throw error
  })
  await services.audit.record({
    user_id: account.id,
    action: 'second_factor.disabled',
    origin: { address: '', userAgent: 'support', requestId: '' },
  })
  await services.audit.flush()
  return {
    json: { id: account.id, app_removed: true },
    words: `The authenticator app of account ${account.id} is removed. Its owner gets a mail.`,
  }
}

async function change(
  services: { db: Database; config: Config },
  command: 'reopen' | 'erase',
  account: Account,
  isConfirmed: boolean,
): Promise<Answer> {
  if (account.state !== 'deactivated')
    throw new Error(`Account ${account.id} is open. Only a closed account can be changed.`)
  if (account.erased_at !== null) throw new Error(`The data of account ${account.id} is erased already.`)
  if (!isConfirmed) {
    throw new Error(
      command === 'erase'
        ? `This erases all data of ${nameOf(account)} and cannot be undone. Add --yes to do it.`
        : `This opens ${nameOf(account)} again. Add --yes to do it.`,
    )
  }
  if (command === 'erase') {
    await eraseAccount(services, account.id)
    return { json: { id: account.id, erased: true }, words: `The data of account ${account.id} is erased.` }
  }
  const opened = await services.db.oneOrNone(reopen, { user_id: account.id, kept_days: keptDays })
  if (!opened) throw new Error(`Account ${account.id} was closed more than ${keptDays} days ago and cannot be opened.`)
  return {
    json: { id: account.id, reopened: true },
    words: `Account ${account.id} is open again. Its owner signs in, connects the shops again and makes new API keys.`,
  }
}

const nameOf = ({ id, email }: Account) => (email === null ? `account ${id}` : `account ${id} (${email})`)

function inWords(account: Account): string {
  const state =
    account.erased_at !== null
      ? `closed, erased on ${account.erased_at}`
      : account.state === 'active'
        ? 'open'
        : `closed on ${account.deactivated_at}, to be erased from ${account.erased_from}`
  return `${nameOf(account)}: ${state}`
}

/** Runs `npm run account -- find --email ada@example.com`. */
async function main(argv: string[], environment: Record<string, string | undefined>): Promise<void> {
  const config = readConfig(environment)
  const url = config.DATABASE_URL ?? (await findEmbeddedDatabase(config.DATA_DIR))
  if (!url) throw new Error(`No database is running on ${config.DATA_DIR}: start Hapax first, or set DATABASE_URL.`)
  const SECRET_KEY = config.SECRET_KEY ?? (await sandboxSecretKey(config))
  const db = openDatabase({ url, max: 1, applicationName: 'hapax-account' })
  const log = createLog('warn')
  const jobs = await openJobs({ url, works: false, log })
  const audit = createAuditTrail({ db, log, now: () => new Date(), keptDays: config.AUDIT_DAYS })
  try {
    const hashKey = await openHashKey(db, { ...config, SECRET_KEY })
    await runAccountCommand({ db, jobs, audit, config: { ...config, SECRET_KEY, hashKey } }, argv, (text) =>
      process.stdout.write(text),
    )
  } finally {
    await jobs.stop()
    await closeDatabase(db)
  }
}

/** Run as a program. */
if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  main(process.argv.slice(2), process.env).then(
    () => process.exit(0),
    (error: unknown) => {
      process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
      // Exit at once: the embedded database's exit hook would exit with 0.
      process.exit(1)
    },
  )
}
