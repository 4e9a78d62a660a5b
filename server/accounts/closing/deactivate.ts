import { noteRevocation } from '#server/accounts/auth/apple/revoke-grant.ts'
import { noteEndAtStripe } from '#server/accounts/billing/end-at-stripe.ts'
import { type Queries, sql } from '#server/infra/db/index.ts'
import { retriedTransaction } from '#server/infra/db/retried.ts'
import { problem } from '#server/infra/errors.ts'
import { enqueueMessage } from '#server/infra/mail-sms/outbox.ts'
import { accountClosedMail } from '#server/infra/mail-sms/templates.ts'
import { destroyConnections } from '#server/integrations/connections/destroy-connections.ts'
import type { Services } from '#server/services.ts'
import { endWork } from './end-work.ts'
import { keptDays } from './erase-account.ts'

const closeAccount = sql(import.meta.url, './sql/close-account.sql')
const listGrants = sql(import.meta.url, './sql/list-grants.sql')
const removeAccess = sql(import.meta.url, './sql/remove-access.sql')
const removeQueuedJobs = sql(import.meta.url, './sql/remove-queued-jobs.sql')

/**
 * Closes an account for good (spec 4.12, decisions 4), in one transaction: tokens, keys, links, codes, connections
 * with their marketplace tokens, webhook addresses, what is paid at Stripe, and work that is queued or under way. Throws `unauthenticated` when it
 * is closed already.
 */
export function deactivateAccount(services: Services, userId: number): Promise<void> {
  // Again when it meets work of the account in the middle: that goes on, or finds the account closed.
  return retriedTransaction(services.db, 'deactivate-account', (tx) => close(services, tx, userId))
}

async function close(services: Services, tx: Queries, user_id: number): Promise<void> {
  const closed = await tx.oneOrNone<{ email: string | null; phone_number: string | null }>(closeAccount, { user_id })
  if (!closed) throw problem('unauthenticated')
  const stillUp = await endWork(tx, user_id)
  await destroyConnections(services, tx, user_id)
  const grants = await tx.any<{ subject: string; encrypted_refresh_token: Buffer }>(listGrants, { user_id })
  for (const grant of grants) await noteRevocation(services, tx, grant)
  await noteEndAtStripe(services, tx, user_id)
  await tx.none(removeAccess, { user_id, ...closed })
  await tx.none(removeQueuedJobs, { group: String(user_id) })
  if (closed.email === null) return
  await enqueueMessage(services, tx, {
    template: 'account-closed',
    user_id,
    message: accountClosedMail(closed.email, { stillUp, keptDays }),
    expiresInSeconds: 86_400,
  })
}
