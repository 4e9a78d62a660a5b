import { connectedShops } from '#server/connections/shop-names.ts'
import { type Queries, sql } from '#server/db/index.ts'
import { enqueueMessage } from '#server/delivery/outbox.ts'
import { everythingEndedMail } from '#server/delivery/templates.ts'
import type { Services } from '#server/services.ts'
import type { LockedUser } from './lock-user.ts'
import { removeSetUp } from './remove-set-up.ts'

const removePhone = sql(import.meta.url, './sql/remove-phone.sql')

/**
 * Ends everything that somebody else could have set up to stay in an account, at the word of whoever owns its mailbox, with
 * a new password: keys, links, webhook addresses, sessions, the phone number. The shops stay, since most are the owner's,
 * whose things would sell twice without them; the mail names them. The account is held by the caller.
 */
export async function endEverything(services: Services, queries: Queries, user: LockedUser): Promise<void> {
  if (user.email === null) return
  const removed = await removeSetUp(queries, user.id)
  await queries.none(removePhone, { user_id: user.id })
  if (user.phone_number !== null) removed.push('the phone number')
  await enqueueMessage(services, queries, {
    template: 'everything-ended',
    user_id: user.id,
    message: everythingEndedMail(user.email, { removed, kept: await connectedShops(queries, user.id) }),
    expiresInSeconds: 7 * 86_400,
  })
}
