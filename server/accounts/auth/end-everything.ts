import type { LockedUser } from '#server/http/lock-user.ts'
import { type Queries, sql } from '#server/infra/db/index.ts'
import { enqueueMessage } from '#server/infra/mail-sms/outbox.ts'
import { everythingEndedMail } from '#server/infra/mail-sms/templates.ts'
import { destroyConnections } from '#server/integrations/connections/destroy-connections.ts'
import { connectedShops } from '#server/integrations/connections/shop-names.ts'
import type { Services } from '#server/services.ts'
import { platformOf } from '#shared/platforms.ts'
import { removeSetUp } from './remove-set-up.ts'

const forgetNetworks = sql(import.meta.url, './sql/forget-networks.sql')
const removePhone = sql(import.meta.url, './sql/remove-phone.sql')

/**
 * Ends everything that a stranger could have set up to stay in an account: API keys, linked identities, webhook addresses,
 * sessions and the phone number, and sends a mail that lists it. `shops`: the connections of shops end too. Otherwise the
 * shops stay, since most are the owner's and their items would sell twice without them. The caller holds the account.
 */
export async function endEverything(
  services: Services,
  queries: Queries,
  user: LockedUser,
  { shops }: { shops: boolean },
): Promise<void> {
  if (user.email === null) return
  // Shops first: telling of them holds the user's counter, and who holds that may wait for an address.
  const ended = shops ? await destroyConnections(services, queries, user.id) : []
  const removed = await removeSetUp(queries, user.id, { secondFactor: shops })
  await queries.none(removePhone, { user_id: user.id })
  await queries.none(forgetNetworks, { user_id: user.id })
  if (user.phone_number !== null) removed.push('the phone number')
  for (const { platform, external_name } of ended) {
    removed.push(`the connection of the ${platformOf(platform).name} shop ${external_name}`)
  }
  await enqueueMessage(services, queries, {
    template: 'everything-ended',
    user_id: user.id,
    message: everythingEndedMail(user.email, {
      removed,
      kept: await connectedShops(queries, user.id),
      shopsEnded: ended.length > 0,
    }),
    expiresInSeconds: 7 * 86_400,
  })
}
