import type { LockedUser } from '#server/http/lock-user.ts'
import type { Transaction } from '#server/infra/db/index.ts'
import { enqueueMessage } from '#server/infra/mail-sms/outbox.ts'
import { allAccessRevokedMail } from '#server/infra/mail-sms/templates.ts'
import { destroyConnections } from '#server/integrations/connections/destroy-connections.ts'
import { connectedShops } from '#server/integrations/connections/shop-names.ts'
import type { Services } from '#server/services.ts'
import { platformOf } from '#shared/platforms.ts'
import * as accountsSql from '../queries.ts'
import { revokeAccess } from './revoke-access.ts'

/**
 * Revokes everything that could keep a stranger in an account: API keys, linked identities, webhooks, sessions and the
 * phone number, and mails a list of it. `shops`: connections end too. Otherwise shops stay, since most are the owner's
 * and their items would sell twice without them. The caller locks the account.
 */
export async function revokeAllAccess(
  services: Services,
  queries: Transaction,
  user: LockedUser,
  { shops }: { shops: boolean },
): Promise<void> {
  if (user.email === null) return
  // Shops first: their events lock the user's counter, whose holder may wait for a webhook endpoint.
  const ended = shops ? await destroyConnections(services, queries, user.id) : []
  const removed = await revokeAccess(services, queries, user.id, { secondFactor: shops })
  await queries.none(accountsSql.removePhone({ user_id: user.id }))
  await queries.none(accountsSql.forgetNetworks({ user_id: user.id }))
  if (user.phone_number !== null) removed.push('the phone number')
  for (const { platform, external_name } of ended) {
    removed.push(`the connection of the ${platformOf(platform).name} shop ${external_name}`)
  }
  await enqueueMessage(services, queries, {
    template: 'everything-ended',
    user_id: user.id,
    message: allAccessRevokedMail(user.email, {
      removed,
      kept: await connectedShops(queries, user.id),
      shopsEnded: ended.length > 0,
    }),
    expiresInSeconds: 7 * 86_400,
  })
}
