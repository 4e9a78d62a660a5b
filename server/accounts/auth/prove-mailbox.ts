import type { LockedUser } from '#server/http/lock-user.ts'
import { type Queries, sql } from '#server/infra/db/index.ts'
import { enqueueMessage } from '#server/infra/mail-sms/outbox.ts'
import { ownershipProvenMail } from '#server/infra/mail-sms/templates.ts'
import { destroyConnections } from '#server/integrations/connections/destroy-connections.ts'
import { connectedShops } from '#server/integrations/connections/shop-names.ts'
import type { Services } from '#server/services.ts'
import { platformOf } from '#shared/platforms.ts'
import { deleteMailboxTokens } from './mailbox-tokens.ts'
import { removeSetUp } from './remove-set-up.ts'

const forgetNetworks = sql(import.meta.url, './sql/forget-networks.sql')
const markProven = sql(import.meta.url, './sql/mark-mailbox-proven.sql')
const markSecured = sql(import.meta.url, './sql/mark-secured.sql')
const removePhone = sql(import.meta.url, './sql/remove-phone.sql')

/**
 * The first proof that somebody owns the mailbox of an account (decisions 4): whoever set the account up
 * may have been somebody else, so every key, linked identity, webhook address and token made before ends, and a mail lists
 * it. With a new password, which shuts whoever it was out, the phone number and the connections of shops go as well;
 * without one, ending a seller's shops would let things sell twice and keep nobody out. Nothing happens at a later proof.
 * `passwordIsOwners`: whoever proves the mailbox set or gave the password, so nobody else has a way in from then on.
 * The account is held by the caller.
 */
export async function proveMailbox(
  services: Services,
  queries: Queries,
  user: LockedUser,
  { passwordIsNew, passwordIsOwners }: { passwordIsNew: boolean; passwordIsOwners: boolean },
): Promise<void> {
  if (user.email_verified || user.email === null) return
  // Shops first: telling of them holds the user's counter, and who holds that may wait for an address.
  const shops = passwordIsNew ? await destroyConnections(services, queries, user.id) : []
  const removed = await removeSetUp(queries, user.id, { secondFactor: true })
  await queries.none(markProven, { user_id: user.id })
  if (passwordIsOwners) await queries.none(markSecured, { user_id: user.id })
  if (passwordIsNew) {
    await queries.none(removePhone, { user_id: user.id })
    await queries.none(forgetNetworks, { user_id: user.id })
  }
  await deleteMailboxTokens(queries, user.id)
  if (passwordIsNew && user.phone_number !== null) removed.push('the phone number')
  for (const { platform, external_name } of shops) {
    removed.push(`the connection of the ${platformOf(platform).name} shop ${external_name}`)
  }
  await enqueueMessage(services, queries, {
    template: 'ownership-proven',
    user_id: user.id,
    message: ownershipProvenMail(user.email, {
      removed,
      kept: await connectedShops(queries, user.id),
      newPasswordUrl: passwordIsNew ? null : `${services.config.PUBLIC_URL}/account/forgot-password`,
      isSecured: passwordIsOwners,
    }),
    expiresInSeconds: 7 * 86_400,
  })
}
