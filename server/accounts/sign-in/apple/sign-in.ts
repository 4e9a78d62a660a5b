import { splitFullName } from '#server/accounts/contact/name.ts'
import { isReserved } from '#server/accounts/contact/reserved-contacts.ts'
import { deleteMailboxTokens } from '#server/accounts/email-verification/mailbox-tokens.ts'
import { admit, invitationHashOf } from '#server/accounts/registration/admit.ts'
import { endWork } from '#server/accounts/sessions/end-work.ts'
import { issueToken } from '#server/accounts/sessions/issue-token.ts'
import type { Client } from '#server/accounts/sessions/origin.ts'
import { revokeAccess } from '#server/accounts/sessions/revoke-access.ts'
import { type Session, sessionOf } from '#server/accounts/sessions/session-response.ts'
import { lockUser } from '#server/http/lock-user.ts'
import type { Transaction } from '#server/infra/db/index.ts'
import { transaction } from '#server/infra/db/transaction.ts'
import { problem } from '#server/infra/errors.ts'
import { enqueueMessage } from '#server/infra/mail-sms/outbox.ts'
import { accountReplacedMail, type StillUp } from '#server/infra/mail-sms/templates.ts'
import { destroyConnections } from '#server/integrations/connections/destroy-connections.ts'
import { shopNames } from '#server/integrations/connections/shop-names.ts'
import type { Services } from '#server/services.ts'
import { createUser } from '../create-user.ts'
import type { AppleClient } from './client.ts'
import { redeemGrant } from './grants.ts'
import { type AppleIdentity, identityRefused } from './identity-token.ts'
import * as sql from './queries.ts'

interface AppleSignIn {
  identity_token: string
  authorization_code: string
  user?: { name?: { firstName?: string | null; lastName?: string | null } | null } | null
  invitation?: string
}

/**
 * Signs in with Apple. Throws `invalid_identity_token`, `registration_closed`, `email_in_use`, `platform_not_configured`, `unavailable`.
 */
export async function signInWithApple(
  services: Services,
  apple: AppleClient | null,
  given: AppleSignIn,
  client: Client,
): Promise<Session> {
  if (!apple) throw problem('platform_not_configured', 'This server is not set up for Sign in with Apple.')
  const identity = await apple.read(given.identity_token)
  const grant = await redeemGrant(services, apple, identity, given.authorization_code)
  return transaction(services.db, 'sign-in-with-apple', async (tx) => {
    // One of several concurrent first sign-ins creates the account; the others find it.
    await tx.one(sql.lockIdentity(placeOf(identity)))
    return (
      (await openLinkedSession(services, tx, identity, grant, client)) ??
      (await createAccount(services, tx, identity, given, grant, client))
    )
  })
}

const placeOf = ({ subject }: AppleIdentity) => ({ provider: 'apple', subject })

/**
 * Opens a session of the account linked to the identity; null if there is none or it is closed. Reads the link again
 * under the account's lock, since it may just be ending.
 */
async function openLinkedSession(
  services: Services,
  tx: Transaction,
  identity: AppleIdentity,
  grant: Buffer | null,
  client: Client,
): Promise<Session | null> {
  const place = placeOf(identity)
  const seen = await tx.oneOrNone(sql.findLink(place))
  if (!seen) return null
  await lockUser(tx, seen.user_id)
  const linked = await tx.oneOrNone(sql.findLink(place))
  if (!linked) return null
  const token = linked.live ? await issueToken(services, tx, linked.user_id, { ...client, method: 'apple' }) : null
  if (token === null) throw identityRefused()
  if (grant) await tx.none(sql.storeRefreshToken({ ...place, user_id: linked.user_id, encrypted_refresh_token: grant }))
  return sessionOf({ ...linked, id: linked.user_id }, token)
}

async function createAccount(
  services: Services,
  tx: Transaction,
  identity: AppleIdentity,
  given: AppleSignIn,
  grant: Buffer | null,
  client: Client,
): Promise<Session> {
  const admission = await admit(services, tx, invitationHashOf(given.invitation))
  if (await isReserved(services.config, tx, [placeOf(identity)])) throw identityRefused()
  const left = identity.email === null ? null : await freeEmail(services, tx, identity.email)
  const named = {
    email: identity.email,
    email_verified: identity.email !== null,
    ...splitFullName(fullNameOf(given.user)),
    password_hash: null,
  }
  const user = await createUser(services, tx, named, admission)
  await tx.one(sql.insertLink({ ...placeOf(identity), user_id: user.id, encrypted_refresh_token: grant }))
  if (user.email !== null && left !== null && left.shops.length + left.stillUp.length > 0) {
    await enqueueMessage(services, tx, {
      template: 'account-replaced',
      user_id: user.id,
      message: accountReplacedMail(user.email, left),
      expiresInSeconds: 7 * 86_400,
    })
  }
  return sessionOf(user, await issueToken(services, tx, user.id, { ...client, method: 'apple' }))
}

/**
 * Frees the address for the person who verified it with Apple. An account that verified it too keeps it and is never
 * linked automatically. An unverified account loses the address and everything set up on it. Without a verified phone
 * nobody could sign in to disconnect its shops, so they are freed and its work ends. Returns what ended.
 */
async function freeEmail(
  services: Services,
  tx: Transaction,
  email: string,
): Promise<{ shops: string[]; stillUp: StillUp[] } | null> {
  const holder = await tx.oneOrNone(sql.lockEmailHolder({ email }))
  if (!holder) return null
  if (holder.email_verified || holder.state !== 'active') {
    throw problem('email_in_use', 'Another account has this address. Sign in to it, then link Apple there.')
  }
  await tx.none(sql.takeEmailAway({ user_id: holder.id }))
  const stillUp = holder.phone_verified ? [] : await endWork(tx, holder.id)
  const shops = holder.phone_verified ? [] : await destroyConnections(services, tx, holder.id)
  await revokeAccess(services, tx, holder.id, { secondFactor: true })
  await deleteMailboxTokens(tx, holder.id)
  return { shops: shopNames(shops), stillUp }
}

/** Returns the name only: the rest of what the app sends is unsigned. */
function fullNameOf(user: AppleSignIn['user']): string {
  return `${user?.name?.firstName ?? ''} ${user?.name?.lastName ?? ''}`.trim().slice(0, 150)
}
