import { deferMessage } from '#server/accounts/contact/defer-message.ts'
import { maskEmail } from '#server/accounts/contact/email.ts'
import { parseEmail } from '#server/accounts/contact/parse-email.ts'
import {
  deleteMailboxTokens,
  linkInvalid,
  readMailboxToken,
  useMailboxToken,
} from '#server/accounts/email-verification/mailbox-tokens.ts'
import { verifyMailbox } from '#server/accounts/email-verification/verify-mailbox.ts'
import { limitSubject } from '#server/accounts/limits/account-keys.ts'
import { forgiveAttempts } from '#server/accounts/limits/attempts.ts'
import { enforceLimit } from '#server/accounts/limits/event-limits.ts'
import { refuseBreachedPassword } from '#server/accounts/passwords/breached.ts'
import { refuseWeakPassword } from '#server/accounts/passwords/policy.ts'
import { revokeAllAccess } from '#server/accounts/sessions/revoke-all-access.ts'
import { lockUser } from '#server/http/lock-user.ts'
import { transaction } from '#server/infra/db/transaction.ts'
import { enqueueMessage } from '#server/infra/mail-sms/outbox.ts'
import { passwordChangedMail } from '#server/infra/mail-sms/templates.ts'
import type { Services } from '#server/services.ts'
import * as accountsSql from '../queries.ts'

/** Requests from one network for one address within an hour. */
const perRequester = [{ max: 3, seconds: 3600 }]

/**
 * Step 1: enqueues the mail with the link. Limit and work do not depend on whether the address has an account. The
 * limit counts per network, so strangers cannot use up the owner's requests; the mails of all networks are limited
 * where they are sent. Throws `rate_limited`, `invalid_request`.
 */
export async function requestPasswordReset(
  services: Services,
  given: { email: string },
  address: string,
): Promise<void> {
  const email = parseEmail(given.email)
  const network = limitSubject(services.config, address).toString('base64')
  await transaction(services.db, 'request-password-reset', async (tx) => {
    await enforceLimit(tx, 'password-reset', limitSubject(services.config, `${email} ${network}`), perRequester)
    await deferMessage(services, tx, { kind: 'password-reset', email, network })
  })
}

/** Step 2: returns the masked address of a link without using it up. Throws `code_invalid`. */
export async function verifyPasswordReset(services: Services, token: string, address: string): Promise<string> {
  return maskEmail((await readMailboxToken(services, 'reset', token, address)).email)
}

/**
 * Step 3: sets the password and ends all bearer tokens, tickets, pending authorizations and other links in one
 * transaction. It also verifies the mailbox. After a verification without the password, a stranger may have chosen the
 * password. So this first reset revokes all earlier access, unless `keep_set_up`. `end_everything` revokes it at any
 * reset. The network that opened the link becomes known to the account. Returns the account. Throws
 * `code_invalid`, `invalid_request` (the link stays valid), `unavailable`.
 */
export async function confirmPasswordReset(
  services: Services,
  given: { token: string; password: string; end_everything?: boolean; keep_set_up?: boolean },
  address: string,
): Promise<number> {
  const { db, config } = services
  const holder = await readMailboxToken(services, 'reset', given.token, address)
  refuseWeakPassword(given.password, 'password', holder.email)
  await refuseBreachedPassword(services, given.password, 'password')
  const password_hash = await services.passwords.hash(given.password, 'known')
  await transaction(db, 'confirm-password-reset', async (tx) => {
    // Lock the account before the token, as every change does, to avoid a deadlock.
    const user = await lockUser(tx, holder.user_id)
    const { email } = await useMailboxToken(tx, holder.user_id, given.token)
    if (!user || user.email !== email) throw linkInvalid()
    await tx.none(accountsSql.setPassword({ user_id: user.id, password_hash }))
    await tx.none(accountsSql.endSessions({ user_id: user.id, kept_hash: null }))
    await deleteMailboxTokens(tx, user.id)
    if (user.email_verified && (given.end_everything || (!user.is_secured && !given.keep_set_up))) {
      await revokeAllAccess(services, tx, user, { shops: !user.is_secured && !given.keep_set_up })
    }
    await verifyMailbox(services, tx, user, { passwordIsNew: true, passwordIsOwners: true })
    await tx.none(accountsSql.markSecured({ user_id: user.id }))
    await forgiveAttempts(tx, ['login', 'login-account'], limitSubject(config, email), null)
    // The network that opened the link signs in next, ahead of the guesses that made the reset necessary.
    await tx.none(accountsSql.recordNetwork({ user_id: user.id, network: limitSubject(config, address) }))
    await enqueueMessage(services, tx, {
      template: 'password-changed',
      user_id: user.id,
      message: passwordChangedMail(email, config.PUBLIC_URL),
      expiresInSeconds: 86_400,
    })
  })
  return holder.user_id
}
