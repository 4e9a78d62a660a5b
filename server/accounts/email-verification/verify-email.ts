import { limitSubject } from '#server/accounts/limits/account-keys.ts'
import { forgiveAttempts } from '#server/accounts/limits/attempts.ts'
import { enforceLimit } from '#server/accounts/limits/event-limits.ts'
import {
  checkCurrentPassword,
  currentPasswordTries,
  wrongPassword,
} from '#server/accounts/passwords/check-current-password.ts'
import { type LockedUser, lockUser } from '#server/http/lock-user.ts'
import type { Queries } from '#server/infra/db/index.ts'
import { transaction } from '#server/infra/db/transaction.ts'
import { problem } from '#server/infra/errors.ts'
import { enqueueMessage } from '#server/infra/mail-sms/outbox.ts'
import { verificationMail } from '#server/infra/mail-sms/templates.ts'
import type { Services } from '#server/services.ts'
import * as accountsSql from '../queries.ts'
import {
  linkInvalid,
  mailboxTokenSeconds,
  newMailboxToken,
  readMailboxToken,
  storeMailboxToken,
  useMailboxToken,
} from './mailbox-tokens.ts'
import { verifyMailbox } from './verify-mailbox.ts'

/** Mails for one account within an hour. */
const perUser = [{ max: 3, seconds: 3600 }]

/** Returns the account's address and whether it is verified. Throws `unauthenticated` for a closed account. */
export async function findEmailVerification(
  { config, db }: Services,
  userId: number,
): Promise<{ email: string | null; email_verified: boolean; mails_at?: string }> {
  const user = await db.oneOrNone(accountsSql.findUser({ user_id: userId }))
  if (!user) throw problem('unauthenticated')
  const { email, email_verified } = user
  return { email, email_verified, ...(config.sandbox && { mails_at: `${config.PUBLIC_URL}/sandbox/` }) }
}

/**
 * Sends a link to the account's address; none if it is verified already. Throws `rate_limited`, `conflict` for an
 * account without address.
 */
export async function requestEmailVerification(services: Services, userId: number): Promise<'sent' | 'verified'> {
  return transaction(services.db, 'request-email-verification', async (tx) => {
    const user = await lockUser(tx, userId)
    if (!user) throw problem('unauthenticated')
    if (user.email === null) throw problem('conflict', 'This account has no email address.')
    if (user.email_verified) return 'verified'
    await enforceLimit(tx, 'email-verification', limitSubject(services.config, `user ${userId}`), perUser)
    await sendVerification(services, tx, { user_id: userId, email: user.email })
    return 'sent'
  })
}

/** Sends a link to an account's address in the caller's transaction. */
export async function sendVerification(
  services: Services,
  queries: Queries,
  holder: { user_id: number; email: string },
): Promise<void> {
  const token = newMailboxToken('verify')
  await storeMailboxToken(queries, 'verify', token, holder)
  await enqueueMessage(services, queries, {
    template: 'email-verification',
    user_id: holder.user_id,
    message: verificationMail(holder.email, `${services.config.PUBLIC_URL}/account/verify-email?token=${token}`),
    expiresInSeconds: mailboxTokenSeconds('verify'),
  })
}

/**
 * Uses a link: verifies the address and removes what was set up before. With the account's password, or where the
 * seller is signed in to it, its holder owns the mailbox, so the first reset later changes nothing else. Returns the
 * account. Throws `code_invalid`, `wrong_password` (the link stays valid), `rate_limited` after 5 wrong passwords,
 * `unavailable`.
 */
export async function confirmEmailVerification(
  services: Services,
  { token, password, isSignedIn = false }: { token: string; password?: string; isSignedIn?: boolean },
  address: string,
): Promise<number> {
  const holder = await readMailboxToken(services, 'verify', token, address)
  const shown = password === undefined ? null : await findHolder(services, holder.user_id)
  if (shown && password !== undefined) {
    await checkCurrentPassword(services, shown, password, 'password')
    await forgiveAttempts(services.db, ['current-password'], currentPasswordTries(services, shown.id).subject, null)
  }
  await transaction(services.db, 'confirm-email-verification', async (tx) => {
    const user = await lockUser(tx, holder.user_id)
    const { email } = await useMailboxToken(tx, holder.user_id, token)
    if (!user || user.email !== email) throw linkInvalid()
    // Changed meanwhile, so the given password is no longer the current one.
    if (shown && user.password_hash !== shown.password_hash) throw wrongPassword('password')
    await verifyMailbox(services, tx, user, { passwordIsNew: false, passwordIsOwners: isSignedIn || shown !== null })
  })
  return holder.user_id
}

async function findHolder({ db }: Services, userId: number): Promise<LockedUser> {
  const user = await db.oneOrNone(accountsSql.findUser({ user_id: userId }))
  if (!user) throw linkInvalid()
  return user
}
