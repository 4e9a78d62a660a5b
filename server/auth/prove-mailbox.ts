import { destroyConnections } from '#server/connections/destroy-connections.ts'
import { listSellerAccounts } from '#server/connections/list-seller-accounts.ts'
import { shopNames } from '#server/connections/shop-names.ts'
import { type Queries, sql } from '#server/db/index.ts'
import { enqueueMessage } from '#server/delivery/outbox.ts'
import { ownershipProvenMail } from '#server/delivery/templates.ts'
import type { Services } from '#server/services.ts'
import { platformOf } from '#shared/platforms.ts'
import type { LockedUser } from './lock-user.ts'
import { deleteMailboxTokens } from './mailbox-tokens.ts'

const markProven = sql(import.meta.url, './sql/mark-mailbox-proven.sql')
const removeUnproven = sql(import.meta.url, './sql/remove-unproven.sql')

/**
 * The first proof that somebody owns the mailbox of an account (decisions 4, threats T54): whoever set the account up
 * may have been somebody else, so every key, linked identity, webhook address and token made before ends, and a mail lists
 * it. With a new password, which shuts whoever it was out, the phone number and the connections of shops go as well;
 * without one, ending a seller's shops would let things sell twice and keep nobody out. Nothing happens at a later proof.
 * The account is held by the caller.
 */
export async function proveMailbox(
  services: Services,
  queries: Queries,
  user: LockedUser,
  { passwordIsNew }: { passwordIsNew: boolean },
): Promise<void> {
  if (user.email_verified || user.email === null) return
  // Shops first: what is told of them is not to reach the webhook addresses, nor to wait for a sender that holds one.
  const shops = passwordIsNew ? await destroyConnections(services, queries, user.id) : []
  const { keys, links, webhooks, tokens } = await queries.one<Removed>(removeUnproven, { user_id: user.id })
  await queries.none(markProven, { user_id: user.id, password_is_new: passwordIsNew })
  await deleteMailboxTokens(queries, user.id)
  const removed = [
    keys > 0 && `${keys} API ${keys === 1 ? 'key' : 'keys'}`,
    links > 0 && `${links} linked ${links === 1 ? 'account' : 'accounts'}`,
    webhooks > 0 && `${webhooks} webhook ${webhooks === 1 ? 'address' : 'addresses'}`,
    tokens > 0 && `${tokens} ${tokens === 1 ? 'session' : 'sessions'}`,
    passwordIsNew && user.phone_number !== null && 'the phone number',
    ...shops.map(
      ({ platform, external_name }) => `the connection of the ${platformOf(platform).name} shop ${external_name}`,
    ),
  ].filter((part) => part !== false)
  await enqueueMessage(services, queries, {
    template: 'ownership-proven',
    user_id: user.id,
    message: ownershipProvenMail(user.email, { removed, kept: await connectedShops(queries, user.id) }),
    expiresInSeconds: 7 * 86_400,
  })
}

interface Removed {
  keys: number
  links: number
  webhooks: number
  tokens: number
}

/** The shops that stay connected, as their owner knows them. */
async function connectedShops(queries: Queries, userId: number): Promise<string[]> {
  return shopNames((await listSellerAccounts(queries, userId)).filter(({ status }) => status !== 'revoked'))
}
