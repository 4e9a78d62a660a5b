import { noteRevocation } from '#server/auth/apple/revoke-grant.ts'
import { destroyConnections } from '#server/connections/destroy-connections.ts'
import { sql } from '#server/db/index.ts'
import { enqueueMessage } from '#server/delivery/outbox.ts'
import { accountClosedMail } from '#server/delivery/templates.ts'
import { problem } from '#server/http/errors.ts'
import type { Services } from '#server/services.ts'
import { accountHooks } from './hooks.ts'

const closeAccount = sql(import.meta.url, './sql/close-account.sql')
const listGrants = sql(import.meta.url, './sql/list-grants.sql')
const removeAccess = sql(import.meta.url, './sql/remove-access.sql')
const removeQueuedJobs = sql(import.meta.url, './sql/remove-queued-jobs.sql')

/**
 * Closes an account for good (spec 4.12, decisions 4), in one transaction: tokens, keys, links, codes, connections
 * with their marketplace tokens, and queued work. Throws `unauthenticated` when it is closed already.
 */
export async function deactivateAccount(services: Services, userId: number): Promise<void> {
  await services.db.tx('deactivate-account', async (tx) => {
    const closed = await tx.oneOrNone<{ email: string | null; phone_number: string | null }>(closeAccount, {
      user_id: userId,
    })
    if (!closed) throw problem('unauthenticated')
    for (const hook of accountHooks.closed) await hook(services, tx, userId)
    await destroyConnections(services, tx, userId)
    for (const grant of await tx.any<{ subject: string; sealed_refresh_token: Buffer }>(listGrants, {
      user_id: userId,
    })) {
      await noteRevocation(services, tx, grant)
    }
    await tx.none(removeAccess, { user_id: userId, ...closed })
    await tx.none(removeQueuedJobs, { group: String(userId) })
    if (closed.email !== null) {
      await enqueueMessage(services, tx, {
        template: 'account-closed',
        user_id: userId,
        message: accountClosedMail(closed.email),
        expiresInSeconds: 86_400,
      })
    }
  })
}
