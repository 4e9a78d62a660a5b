import { sql } from '#server/db/index.ts'
import { enqueueMessage } from '#server/delivery/outbox.ts'
import { passwordResetMail } from '#server/delivery/templates.ts'
import type { Services } from '#server/services.ts'
import { deleteMailboxTokens, mailboxTokenSeconds, newMailboxToken, storeMailboxToken } from './mailbox-tokens.ts'

const findUserByEmail = sql(import.meta.url, './sql/find-user-by-email.sql')

interface Holder {
  id: number
  email: string
  email_verified: boolean
  is_secured: boolean
  state: string
}

/** Sends a reset link to the stored address of an active account; the links before it end. */
export async function sendPasswordReset(services: Services, intentId: string, email: string): Promise<void> {
  await services.db.tx('send-password-reset', async (tx) => {
    const user = await tx.oneOrNone<Holder>(findUserByEmail, { email })
    if (user?.state !== 'active') return
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
      dedupeKey: intentId,
    })
    if (!sent) return
    await deleteMailboxTokens(tx, user.id, 'reset')
    await storeMailboxToken(tx, 'reset', token, { user_id: user.id, email: user.email })
  })
}
