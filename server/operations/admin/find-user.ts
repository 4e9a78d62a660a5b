import { keptDays } from '#server/accounts/closing/erase-account.ts'
import { normalizeEmail } from '#server/accounts/contact/email.ts'
import { readPhone } from '#server/accounts/contact/phone.ts'
import { type Contact, isReserved } from '#server/accounts/contact/reserved-contacts.ts'
import type { Services } from '#server/services.ts'
import type { AdminOptions } from './command.ts'
import * as sql from './queries.ts'

export interface Account {
  id: number
  email: string | null
  state: string
  deactivated_at: string | null
  erased_from: string | null
  erased_at: string | null
}

/** Returns the account that the options name. Throws if there is none, or more than one. */
export async function findUser({ db, config }: Services, given: AdminOptions): Promise<Account> {
  const email = given.email === undefined ? null : normalizeEmail(given.email)
  const verdict = given.phone === undefined ? null : readPhone(given.phone, config.SMS_COUNTRIES)
  const phone = verdict && 'phone' in verdict ? verdict.phone : null
  const id = given.id !== undefined && /^\d{1,9}$/.test(given.id) ? Number(given.id) : null
  if (email === null && phone === null && id === null) {
    throw new Error('Name the account: --email ada@example.com, --phone +14155550100 or --id 12.')
  }
  const found = await db.any(sql.findAccounts({ id, email, phone, kept_days: keptDays }))
  if (found.length > 1) throw new Error(`These name several accounts: ${found.map((each) => each.id).join(', ')}.`)
  if (found[0]) return found[0]
  const contacts: Contact[] = [...(email === null ? [] : [{ email }]), ...(phone === null ? [] : [{ phone }])]
  if (contacts.length > 0 && (await isReserved(config, db, contacts))) {
    throw new Error('The account was closed, and its data is erased. The address stays reserved.')
  }
  throw new Error('There is no such account.')
}

/** Returns the account if it is closed and not erased; throws otherwise. */
export async function findClosedUser(services: Services, given: AdminOptions): Promise<Account> {
  const account = await findUser(services, given)
  if (account.erased_at !== null) throw new Error(`The data of account ${account.id} is erased already.`)
  if (account.state !== 'deactivated') throw new Error(`Account ${account.id} is open. Close it first.`)
  return account
}

export const nameOf = ({ id, email }: Account) => (email === null ? `account ${id}` : `account ${id} (${email})`)

/** Describes an account in a line. */
export function describeUser(account: Account): string {
  const state =
    account.erased_at !== null
      ? `closed, erased on ${account.erased_at}`
      : account.state === 'active'
        ? 'open'
        : `closed on ${account.deactivated_at}, to be erased from ${account.erased_from}`
  return `${nameOf(account)}: ${state}`
}

/** The origin of an operator's entries in an account's audit trail. */
export const supportOrigin = { address: '', userAgent: 'support', requestId: '' }
