import { type Queries, sql } from '#server/db/index.ts'
import { enqueueMessage } from '#server/delivery/outbox.ts'
import { ownershipProvenMail } from '#server/delivery/templates.ts'
import type { Services } from '#server/services.ts'
import type { LockedUser } from './lock-user.ts'
import { deleteMailboxTokens } from './mailbox-tokens.ts'

const markProven = sql(import.meta.url, './sql/mark-mailbox-proven.sql')
const removeUnproven = sql(import.meta.url, './sql/remove-unproven.sql')

/**
 * The first proof that somebody owns the mailbox of an account (decisions 4, threats T54): whoever set the account up
 * may have been somebody else, so every key, linked identity and token made before ends, and a mail lists it. With a
 * new password, a phone number set before goes as well. Nothing happens at a later proof. The account is held by the
 * caller.
 */
export async function proveMailbox(
  services: Services,
  queries: Queries,
  user: LockedUser,
  { passwordIsNew }: { passwordIsNew: boolean },
): Promise<void> {
  if (user.email_verified || user.email === null) return
  const { keys, links, tokens } = await queries.one<{ keys: number; links: number; tokens: number }>(removeUnproven, {
    user_id: user.id,
  })
  await queries.none(markProven, { user_id: user.id, password_is_new: passwordIsNew })
  await deleteMailboxTokens(queries, user.id)
  const removed = [
    keys > 0 && `${keys} API ${keys === 1 ? 'key' : 'keys'}`,
    links > 0 && `${links} linked ${links === 1 ? 'account' : 'accounts'}`,
    tokens > 0 && `${tokens} ${tokens === 1 ? 'session' : 'sessions'}`,
    passwordIsNew && user.phone_number !== null && 'the phone number',
  ].filter((part) => part !== false)
  await enqueueMessage(services, queries, {
    template: 'ownership-proven',
    user_id: user.id,
    message: ownershipProvenMail(user.email, removed),
    expiresInSeconds: 7 * 86_400,
  })
}
