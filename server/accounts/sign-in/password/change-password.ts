import { deleteMailboxTokens } from '#server/accounts/email-verification/mailbox-tokens.ts'
import { forgiveAttempts, refundAttempts } from '#server/accounts/limits/attempts.ts'
import { refuseBreachedPassword } from '#server/accounts/passwords/breached.ts'
import {
  checkCurrentPassword,
  currentPasswordTries,
  wrongPassword,
} from '#server/accounts/passwords/check-current-password.ts'
import { refuseWeakPassword } from '#server/accounts/passwords/policy.ts'
import * as accountsSql from '#server/accounts/queries.ts'
import { issueToken } from '#server/accounts/sessions/issue-token.ts'
import type { Client } from '#server/accounts/sessions/origin.ts'
import { moveSubscriptions } from '#server/accounts/web-push/subscriptions.ts'
import { hashSecret } from '#server/http/credentials/credentials.ts'
import { lockUser } from '#server/http/lock-user.ts'
import { transaction } from '#server/infra/db/transaction.ts'
import { HttpProblem, problem } from '#server/infra/errors.ts'
import { enqueueMessage } from '#server/infra/mail-sms/outbox.ts'
import { passwordChangedMail } from '#server/infra/mail-sms/templates.ts'
import type { Services } from '#server/services.ts'
import { secondFactorOf } from '../second-factor/totp.ts'
import * as sql from './queries.ts'

/**
 * Changes the password, ends every bearer token and link, and returns a new token for this device, which keeps its
 * notifications. With a second factor, the new session keeps the old time of authentication: a stolen password must not
 * suffice to disable the second factor. Throws `wrong_password` (400 naming the field), `invalid_request`,
 * `rate_limited` after 5 failures, `unavailable`.
 */
export async function changePassword(
  services: Services,
  { user_id: userId, token_hash }: { user_id: number; token_hash: Buffer },
  given: { current_password: string; new_password: string },
  client: Client,
): Promise<string> {
  const { db, passwords } = services
  const user = await db.oneOrNone(accountsSql.findUser({ user_id: userId }))
  if (!user) throw problem('unauthenticated')
  refuseWeakPassword(given.new_password, 'new_password', user.email)
  await refuseBreachedPassword(services, given.new_password, 'new_password')
  const tries = currentPasswordTries(services, userId)
  await checkCurrentPassword(services, user, given.current_password, 'current_password')
  try {
    const password_hash = await passwords.hash(given.new_password, 'known')
    return await transaction(db, 'change-password', async (tx) => {
      const held = await lockUser(tx, userId)
      if (!held) throw problem('unauthenticated')
      // Changed meanwhile, so the given password is no longer the current one.
      if (held.password_hash !== user.password_hash) throw wrongPassword('current_password')
      const proof = await tx.oneOrNone(sql.findVerification({ user_id: userId, token_hash }))
      if (!proof) throw problem('unauthenticated')
      const { totp_confirmed_at } = await secondFactorOf(tx, userId)
      await tx.none(accountsSql.setPassword({ user_id: userId, password_hash }))
      await deleteMailboxTokens(tx, userId, 'reset')
      await forgiveAttempts(tx, ['current-password'], tries.subject, null)
      const token = await issueToken(services, tx, userId, {
        ...client,
        method: 'password',
        ...(totp_confirmed_at ? { verifiedAt: proof.verified_at } : {}),
      })
      if (token === null) throw problem('unauthenticated')
      const kept_hash = hashSecret(token)
      await moveSubscriptions(tx, { user_id: userId, from: token_hash, to: kept_hash })
      await tx.none(accountsSql.endSessions({ user_id: userId, kept_hash }))
      if (held.email !== null) {
        await enqueueMessage(services, tx, {
          template: 'password-changed',
          user_id: userId,
          message: passwordChangedMail(held.email, services.config.PUBLIC_URL),
          expiresInSeconds: 86_400,
        })
      }
      return token
    })
  } catch (error) {
    // Not compared, so not a failure.
    if (error instanceof HttpProblem && error.code === 'unavailable')
      await refundAttempts(db, ['current-password'], tries.subject, tries.network)
    throw error
  }
}
