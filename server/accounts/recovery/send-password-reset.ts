import {
  deleteMailboxTokens,
  mailboxTokenSeconds,
  newMailboxToken,
  storeMailboxToken,
} from '#server/accounts/email-verification/mailbox-tokens.ts'
import { limitSubject } from '#server/accounts/limits/account-keys.ts'
import { tryLimit } from '#server/accounts/limits/event-limits.ts'
import { transaction } from '#server/infra/db/transaction.ts'
import { enqueueMessage } from '#server/infra/mail-sms/outbox.ts'
import { passwordResetMail } from '#server/infra/mail-sms/templates.ts'
import type { Services } from '#server/services.ts'
import * as sql from './queries.ts'

/** Mails to one account within an hour that strangers may cause. */
const perAccount = [{ max: 3, seconds: 3600 }]

/** A link valid for at least this long need not be replaced. */
const usableSeconds = 10 * 60

/**
 * Sends a reset link to the stored address of an active account and ends earlier links. After three mails within an
 * hour, sends none while the last link works for ten more minutes: otherwise a stranger could flood the mailbox and end
 * each link before its owner opens it. Known networks are exempt.
 */
export async function sendPasswordReset(
  services: Services,
  requestId: string,
  { email, network }: { email: string; network: string },
): Promise<void> {
  await transaction(services.db, 'send-password-reset', async (tx) => {
    const user = await tx.oneOrNone(sql.findUserByEmail({ email }))
    if (user?.state !== 'active') return
    const known = await tx.one(
      sql.findResetLink({
        user_id: user.id,
        network: Buffer.from(network, 'base64'),
        for_seconds: usableSeconds,
      }),
    )
    if (!known.is_known_network) {
      const subject = limitSubject(services.config, `user ${user.id}`)
      const isBound = (await tryLimit(tx, 'password-reset-mail', subject, perAccount)) !== null
      if (isBound && known.has_link) return
    }
    const token = newMailboxToken('reset')
    const sent = await enqueueMessage(services, tx, {
      template: 'password-reset',
      user_id: user.id,
      message: passwordResetMail(user.email, {
        url: `${services.config.PUBLIC_URL}/account/reset-password?token=${token}`,
        isVerified: user.email_verified,
        isSecured: user.is_secured,
      }),
      expiresInSeconds: mailboxTokenSeconds('reset'),
      dedupeKey: requestId,
    })
    if (!sent) return
    await deleteMailboxTokens(tx, user.id, 'reset')
    await storeMailboxToken(tx, 'reset', token, { user_id: user.id, email: user.email })
  })
}
