import { enqueueCancellation } from '#server/accounts/billing/cancel-at-stripe.ts'
import { endWork } from '#server/accounts/sessions/end-work.ts'
import { enqueueRevocation } from '#server/accounts/sign-in/apple/revoke-grant.ts'
import type { Queries } from '#server/infra/db/index.ts'
import { transaction } from '#server/infra/db/transaction.ts'
import { problem } from '#server/infra/errors.ts'
import { enqueueMessage } from '#server/infra/mail-sms/outbox.ts'
import { accountClosedMail } from '#server/infra/mail-sms/templates.ts'
import { destroyConnections } from '#server/integrations/connections/destroy-connections.ts'
import type { Services } from '#server/services.ts'
import { keptDays } from './erase-account.ts'
import * as sql from './queries.ts'

/**
 * Closes an account for good in one transaction: tokens, keys, links, codes, connections and their tokens, webhooks,
 * Stripe subscriptions, and queued and running work. Throws `unauthenticated` if it is closed already.
 */
export function deactivateAccount(services: Services, userId: number): Promise<void> {
  // Retry after a conflict with running work, which continues or finds the account closed.
  return transaction(services.db, 'deactivate-account', (tx) => close(services, tx, userId))
}

async function close(services: Services, tx: Queries, user_id: number): Promise<void> {
  const closed = await tx.oneOrNone(sql.closeAccount({ user_id }))
  if (!closed) throw problem('unauthenticated')
  const stillUp = await endWork(tx, user_id)
  await destroyConnections(services, tx, user_id)
  const grants = await tx.any(sql.listGrants({ user_id }))
  for (const grant of grants) await enqueueRevocation(services, tx, grant)
  await enqueueCancellation(services, tx, user_id)
  await tx.none(sql.removeAccess({ user_id, ...closed }))
  await tx.none(sql.removeQueuedJobs({ group: String(user_id) }))
  if (closed.email === null) return
  await enqueueMessage(services, tx, {
    template: 'account-closed',
    user_id,
    message: accountClosedMail(closed.email, { stillUp, keptDays }),
    expiresInSeconds: 86_400,
  })
}
