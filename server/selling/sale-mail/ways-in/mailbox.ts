import { limitSubject } from '#server/accounts/limits/account-keys.ts'
import { countAttempt, forgiveAttempts } from '#server/accounts/limits/attempts.ts'
import { enforceLimit } from '#server/accounts/limits/event-limits.ts'
import { requireOpenAccount } from '#server/http/lock-user.ts'
import { encrypt } from '#server/infra/crypto/encrypt.ts'
import type { Queries } from '#server/infra/db/index.ts'
import { notify } from '#server/infra/db/pubsub.ts'
import { transaction } from '#server/infra/db/transaction.ts'
import { notFound, problem } from '#server/infra/errors.ts'
import type { Services } from '#server/services.ts'
import type { SaleMailbox } from '#shared/contract/selling/sale-mail.ts'
import { passwordPlace, saleMailKey } from '../encryption.ts'
import * as sql from '../queries.ts'
import { checkMailbox, type MailboxAccess, openMailbox } from './imap-connection.ts'
import { MailboxError } from './mailbox-error.ts'

/** Tells workers of a mailbox that was added, changed or removed. */
export const mailboxChannel = 'sale_mailbox'

/** Returns the mailbox without its password; null without one. */
export function readMailbox(queries: Queries, user_id: number): Promise<SaleMailbox | null> {
  return queries.oneOrNone(sql.readMailbox({ user_id }))
}

/** Tries of an account. Those at one mailbox are limited over all accounts, so that nobody guesses its password here. */
const triesPerUser = [{ max: 10, seconds: 3_600 }]

/**
 * Tries a mailbox, then stores it in place of the one before. Throws `invalid_request` for a private host or another
 * port, `rate_limited`, and `mailbox_refused`.
 */
export async function saveMailbox(
  services: Pick<Services, 'db' | 'config' | 'times'>,
  user_id: number,
  given: Partial<MailboxAccess> & Pick<MailboxAccess, 'host' | 'user' | 'password'>,
  signal: AbortSignal,
): Promise<SaleMailbox> {
  const { db, config, times } = services
  const tls = given.tls ?? 'implicit'
  const access = {
    folder: 'INBOX',
    ...given,
    tls,
    port: given.port ?? (tls === 'implicit' ? 993 : 143),
  }
  checkMailbox(access, config.sandbox)
  await enforceLimit(db, 'sale-mailbox', limitSubject(config, `user ${user_id}`), triesPerUser)
  const subject = limitSubject(config, nameOf(access))
  await countAttempt(
    db,
    { kind: 'mailbox', subject, network: Buffer.alloc(0) },
    'This mailbox was tried too often. Wait before you try again.',
  )
  const open = await openMailbox(access, services, signal).catch((error: unknown) => {
    if (error instanceof MailboxError) throw problem('mailbox_refused', error.message, { cause: error })
    throw error
  })
  await open.client.logout().catch(() => {})
  open.close()
  await forgiveAttempts(db, ['mailbox'], subject, null)
  const { password, user: username, host, port, folder } = access
  const encrypted_password = encrypt(password, passwordPlace(user_id), saleMailKey(config))
  return transaction(db, 'save-mailbox', async (tx) => {
    await requireOpenAccount(tx, user_id)
    const notice_ms = times.mailboxBeatMs + 1_000
    await tx.none(
      sql.saveMailbox({
        user_id,
        host,
        port,
        tls,
        username,
        folder,
        encrypted_password,
        notice_ms,
      }),
    )
    notify(tx, mailboxChannel)
    return tx.one(sql.readMailbox({ user_id }))
  })
}

/** Returns the name of a mailbox. An e-mail address is one mailbox, by whichever name of its server it is opened. */
function nameOf({ host, user }: Pick<MailboxAccess, 'host' | 'user'>): string {
  const name = user.trim().toLowerCase()
  return name.includes('@') ? name : `${name} ${host.toLowerCase().replace(/\.$/, '')}`
}

/** Forgets the mailbox with its password. Throws `not_found` without one. */
export async function removeMailbox({ db }: Pick<Services, 'db'>, user_id: number): Promise<void> {
  const removed = await db.oneOrNone(sql.deleteMailbox({ user_id }))
  if (!removed) throw notFound()
}
