import { enqueueCancellation } from '#server/accounts/billing/cancel-at-stripe.ts'
import { endWork } from '#server/accounts/sessions/end-work.ts'
import { revokeGrants } from '#server/accounts/sign-in/apple/grants.ts'
import type { Transaction } from '#server/infra/db/index.ts'
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
 * Stripe subscriptions, and queued and running work. Returns whether its owner must remove Hapax at Apple by hand,
 * because no token of the grant is known. Throws `unauthenticated` if it is closed already.
 */
export function deactivateAccount(services: Services, userId: number): Promise<boolean> {
  // Retry after a conflict with running work, which continues or finds the account closed.
  return transaction(services.db, 'deactivate-account', (tx) => close(services, tx, userId))
}

async function close(services: Services, tx: Transaction, user_id: number): Promise<boolean> {
  const closed = await tx.oneOrNone(sql.closeAccount({ user_id }))
  if (!closed) throw problem('unauthenticated')
  const stillUp = await endWork(tx, user_id)
  await destroyConnections(services, tx, user_id)
  const isGrantLeft = await revokeGrants(services, tx, user_id)
  await enqueueCancellation(services, tx, user_id)
  await tx.none(sql.removeAccess({ user_id, ...closed }))
  for (const hook of services.connectionHooks.closed) await hook(services, tx, { user_id })
  await tx.none(sql.removeQueuedJobs({ group: String(user_id) }))
  if (closed.email === null) return isGrantLeft
  await enqueueMessage(services, tx, {
    template: 'account-closed',
    user_id,
    message: accountClosedMail(closed.email, { stillUp, keptDays, isGrantLeft }),
    expiresInSeconds: 86_400,
  })
  return isGrantLeft
}
