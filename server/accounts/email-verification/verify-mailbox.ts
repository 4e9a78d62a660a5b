import { revokeAccess } from '#server/accounts/sessions/revoke-access.ts'
import type { LockedUser } from '#server/http/lock-user.ts'
import type { Transaction } from '#server/infra/db/index.ts'
import { enqueueMessage } from '#server/infra/mail-sms/outbox.ts'
import { mailboxVerifiedMail } from '#server/infra/mail-sms/templates.ts'
import { destroyConnections } from '#server/integrations/connections/destroy-connections.ts'
import { connectedShops } from '#server/integrations/connections/shop-names.ts'
import type { Services } from '#server/services.ts'
import { appPath } from '#shared/app-places.ts'
import { platformOf } from '#shared/platforms.ts'
import * as accountsSql from '../queries.ts'
import { deleteMailboxTokens } from './mailbox-tokens.ts'
import * as sql from './queries.ts'

/**
 * Handles the first verification of an account's mailbox. Later verifications do nothing.
 *
 * A stranger may have set the account up, so every key, linked identity, webhook and session ends, and a mail lists
 * them. A new password locks the stranger out, so the phone number and shops go as well. Without one, shops stay: their
 * items could sell twice and nobody would be kept out.
 *
 * `passwordIsOwners`: the person at the mailbox set or gave the password. Somebody who gave the old password created the
 * account, so everything stays and the seller stays signed in. The caller locks the account.
 */
export async function verifyMailbox(
  services: Services,
  queries: Transaction,
  user: LockedUser,
  { passwordIsNew, passwordIsOwners }: { passwordIsNew: boolean; passwordIsOwners: boolean },
): Promise<void> {
  if (user.email_verified || user.email === null) return
  // Shops first: their events lock the user's counter, whose holder may wait for a webhook endpoint.
  const shops = passwordIsNew ? await destroyConnections(services, queries, user.id) : []
  const keepsSetUp = passwordIsOwners && !passwordIsNew
  const removed = keepsSetUp ? [] : await revokeAccess(services, queries, user.id, { secondFactor: true })
  await queries.none(sql.markMailboxVerified({ user_id: user.id }))
  if (passwordIsOwners) await queries.none(accountsSql.markSecured({ user_id: user.id }))
  for (const hook of services.connectionHooks.reachable) await hook(services, queries, { user_id: user.id })
  if (passwordIsNew) {
    await queries.none(accountsSql.removePhone({ user_id: user.id }))
    await queries.none(accountsSql.forgetNetworks({ user_id: user.id }))
  }
  await deleteMailboxTokens(queries, user.id)
  if (passwordIsNew && user.phone_number !== null) removed.push('the phone number')
  for (const { platform, external_name } of shops) {
    removed.push(`the connection of the ${platformOf(platform).name} shop ${external_name}`)
  }
  await enqueueMessage(services, queries, {
    template: 'ownership-proven',
    user_id: user.id,
    message: mailboxVerifiedMail(user.email, {
      removed,
      kept: await connectedShops(queries, user.id),
      newPasswordUrl: passwordIsNew ? null : `${services.config.PUBLIC_URL}/account/forgot-password`,
      isSecured: passwordIsOwners,
      securityUrl: keepsSetUp ? `${services.config.PUBLIC_URL}${appPath('security')}` : null,
    }),
    expiresInSeconds: 7 * 86_400,
  })
}
