import { parseEmail } from '#server/accounts/contact/parse-email.ts'
import { limitSubject } from '#server/accounts/limits/account-keys.ts'
import { enforceLimit } from '#server/accounts/limits/event-limits.ts'
import { hashSecret, newSecret } from '#server/http/credentials/credentials.ts'
import { requireOpenAccount } from '#server/http/lock-user.ts'
import { transaction } from '#server/infra/db/transaction.ts'
import { notFound, problem } from '#server/infra/errors.ts'
import { enqueueMessage } from '#server/infra/mail-sms/outbox.ts'
import { recipientMail, recipientMovedMail } from '#server/infra/mail-sms/templates.ts'
import type { Services } from '#server/services.ts'
import * as sql from './queries.ts'

interface Recipient {
  email: string
  verified_at: string | null
}

const linkSeconds = 24 * 3600
/** Links of one account within an hour, and to one address within a day, whoever asks. */
const linksPerUser = [{ max: 10, seconds: 3600 }]
const linksPerAddress = [{ max: 3, seconds: 86_400 }]
const mostRecipients = 10

/**
 * Adds an address and sends a link there. Throws `invalid_request`, `conflict` for one too many and for an account whose
 * own address is not verified, `rate_limited`.
 */
export function addRecipient(services: Services, user_id: number, text: string): Promise<Recipient> {
  const email = parseEmail(text)
  const token = newSecret('hpxv')
  return transaction(services.db, 'add-sale-mail-recipient', async (tx) => {
    await requireOpenAccount(tx, user_id)
    const { is_verified } = await tx.one(sql.readVerified({ user_id }))
    if (!is_verified) throw problem('conflict', 'Confirm the e-mail address or phone number of your account first.')
    await enforceLimit(tx, 'sale-mail-recipient', limitSubject(services.config, `user ${user_id}`), linksPerUser)
    await enforceLimit(tx, 'sale-mail-recipient', limitSubject(services.config, `to ${email}`), linksPerAddress)
    const { count } = await tx.one(sql.countRecipients({ user_id }))
    if (count >= mostRecipients) throw problem('conflict', `An account has at most ${mostRecipients} such addresses.`)
    const added = await tx.one(
      sql.addRecipient({ user_id, email, token_hash: hashSecret(token), expires_in: linkSeconds }),
    )
    await enqueueMessage(services, tx, {
      template: 'sale-mail-recipient',
      user_id,
      message: recipientMail(email, `${services.config.PUBLIC_URL}/app/#sale-mail/confirm?token=${token}`),
      expiresInSeconds: linkSeconds,
    })
    return added
  })
}

/**
 * Proves an address with the token of its link. An account that had proved it loses it and is told. Throws
 * `code_invalid`.
 */
export function confirmRecipient(services: Services, user_id: number, token: string): Promise<Recipient> {
  return transaction(
    services.db,
    'confirm-sale-mail-recipient',
    async (tx) => {
      const token_hash = hashSecret(token)
      const email = await tx.oneOrNone(sql.findLink({ user_id, token_hash }))
      if (!email)
        throw problem('code_invalid', 'This link does not work: it was used, has expired, or is not complete.')
      for (const other of await tx.any(sql.dropProofs({ user_id, email: email.email }))) {
        const reached = await tx.oneOrNone(sql.readPublicEmail(other))
        if (!reached?.email) continue
        await enqueueMessage(services, tx, {
          template: 'sale-mail-recipient-moved',
          user_id: other.user_id,
          message: recipientMovedMail(reached.email, email.email),
          expiresInSeconds: 7 * 86_400,
        })
      }
      return tx.one(sql.proveRecipient({ user_id, token_hash }))
    },
    { uniques: new Set(['sale_mail_recipient_proof_key']) },
  )
}

/** Removes an address. Throws `not_found`. */
export async function deleteRecipient({ db }: Pick<Services, 'db'>, user_id: number, email: string): Promise<void> {
  const deleted = await db.oneOrNone(sql.deleteRecipient({ user_id, email: email.toLowerCase() }))
  if (!deleted) throw notFound()
}
