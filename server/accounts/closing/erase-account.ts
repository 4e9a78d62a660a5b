import type { Queries } from '#server/infra/db/index.ts'
import { transaction } from '#server/infra/db/transaction.ts'
import type { Services } from '#server/services.ts'
import { type Contact, reserveContacts } from '../contact/reserved-contacts.ts'
import { listTablesOf } from './owned-tables.ts'
import * as sql from './queries.ts'

// Here, since the name of a table cannot be bound.
const eraseRows = `delete from $<table:name> where user_id = $<user_id> and ctid = any(array(
  select ctid from $<table:name> where user_id = $<user_id> limit $<limit>
))`

/** Days during which a closed account can be reopened, before its data is erased. */
export const keptDays = 30

/** Rows erased per step. */
const limit = 1_000

/**
 * Tax law requires records of payments, so the Stripe customer number stays. The names of removed photos stay until their
 * files are removed.
 */
const keptTables = ['stripe_customer', 'removed_image']

type Erasing = Pick<Services, 'db' | 'config'>

/** Erases every account that was closed 30 days ago. After a crash, the next call continues. */
export async function eraseDueAccounts(services: Erasing, signal?: AbortSignal): Promise<void> {
  for (const { id } of await services.db.any(sql.listDueErasures({ kept_days: keptDays }))) {
    if (signal?.aborted) return
    await eraseAccount(services, id, signal)
  }
}

/**
 * Erases a closed account: all its rows except its Stripe customer number, and everything that names a person. Keyed
 * hashes of its email address, phone number and identities stay reserved. Returns false, and does nothing, for an open,
 * unknown or erased account.
 */
export async function eraseAccount(services: Erasing, user_id: number, signal?: AbortSignal): Promise<boolean> {
  const { db } = services
  const begun = await transaction(db, 'begin-erasure', (tx) => beginErasure(services, tx, user_id))
  if (!begun) return false
  for (const { name: table } of await listTablesOf(db)) {
    if (keptTables.includes(table)) continue
    // One statement per step, so that a large account never holds locks for long.
    for (let erased = limit; erased === limit; ) {
      if (signal?.aborted) return true
      erased = (await db.result(eraseRows, { table, user_id, limit })).rowCount ?? 0
    }
  }
  await db.none(sql.endErasure({ user_id }))
  return true
}

async function beginErasure({ config }: Erasing, tx: Queries, user_id: number): Promise<boolean> {
  const account = await tx.oneOrNone(sql.lockClosedAccount({ user_id }))
  if (!account) return false
  const identities = await tx.any(sql.listIdentities({ user_id }))
  const contacts: Contact[] = [...identities]
  if (account.email !== null) contacts.push({ email: account.email })
  if (account.phone_number !== null) contacts.push({ phone: account.phone_number })
  await reserveContacts(config, tx, contacts)
  await tx.none(sql.eraseChallenges(account))
  await tx.none(sql.eraseUnclaimed(account))
  await tx.none(sql.beginErasure({ user_id }))
  return true
}
