import { once } from 'node:events'
import type { ImapFlow } from 'imapflow'
import { decrypt } from '#server/infra/crypto/encrypt.ts'
import { transaction } from '#server/infra/db/transaction.ts'
import { holdLease, LeaseLostError, underLease } from '#server/infra/jobs/lease.ts'
import type { Services } from '#server/services.ts'
import { passwordPlace, saleMailKey } from '../encryption.ts'
import * as sql from '../queries.ts'
import { mayBeSaleMail } from '../reading/marketplaces.ts'
import { maxReadBytes } from '../reading/parse-mail.ts'
import { storeMail } from '../store-mail.ts'
import { type MailboxAccess, openMailbox, wordsOf } from './imap-connection.ts'

/** A mailbox whose lease the caller holds (`claimMailbox`). */
export interface ClaimedMailbox extends Omit<MailboxAccess, 'password'> {
  user_id: number
  encrypted_password: Buffer
  uid_validity: string | null
  last_uid: number | null
  failures: number
  lease_epoch: number
}

/** Another worker takes a mailbox over after this time without a sign of life. */
export const mailboxLeaseSeconds = 60
/** A folder is read again after this time without news, for servers that tell none. */
const longestQuietMs = 240_000
/** Mails of the first connection, and of a folder that was made anew. */
const firstDays = 3
/** Mails whose senders are read at once. */
const batch = 200
/** The first pause after a failure. Each doubles it, up to the longest. */
const [firstPauseSeconds, longestPauseSeconds] = [5, 900]

/**
 * Reads a mailbox until the signal aborts: what came since the last place, then each new mail as the server tells of it.
 * A failure is recorded with the server's words, and the mailbox is tried again later.
 */
export async function watchMailbox(services: Services, mailbox: ClaimedMailbox, stop: AbortSignal): Promise<void> {
  const { db, config, log } = services
  const work = `the mailbox of ${mailbox.user_id}`
  const renew = () =>
    underLease(work, db.oneOrNone(sql.renewMailbox({ ...mailbox, lease_seconds: mailboxLeaseSeconds })))
  const lease = holdLease(services, { work, everyMs: services.times.mailboxBeatMs, renew })
  const signal = AbortSignal.any([stop, lease.lost])
  let client: ImapFlow | null = null
  const close = () => client?.close()
  signal.addEventListener('abort', close, { once: true })
  try {
    const password = decrypt(mailbox.encrypted_password, passwordPlace(mailbox.user_id), saleMailKey(config))
    client = await openMailbox({ ...mailbox, password }, { sandbox: config.sandbox, signal })
    const place = { uid_validity: mailbox.uid_validity, last_uid: mailbox.last_uid }
    while (!signal.aborted) {
      const news = nextNews(client, signal)
      await catchUp(services, mailbox, client, place)
      await underLease(work, db.oneOrNone(sql.markMailboxRead(mailbox)))
      // Ends with the next command. A server without IDLE is asked by NOOP.
      client.idle().catch(() => {})
      await news
      if (!client.usable && !signal.aborted) throw new Error('The server closed the connection.')
    }
  } catch (error) {
    if (error instanceof LeaseLostError || signal.aborted) return
    const pause = Math.min(longestPauseSeconds, firstPauseSeconds * 2 ** Math.min(mailbox.failures, 20))
    log.warn({ err: error, user_id: mailbox.user_id }, 'a mailbox with sale mails could not be read')
    const last_error = error instanceof Error && error.name === 'MailboxError' ? error.message : wordsOf(error)
    await db.none(sql.failMailbox({ ...mailbox, last_error, after_seconds: pause }))
  } finally {
    lease.release()
    signal.removeEventListener('abort', close)
    client?.close()
    if (stop.aborted) await db.none(sql.releaseMailbox(mailbox))
  }
}

/** Resolves when the server tells of a new mail or ends the connection, when it is time to look, or at the abort. */
async function nextNews(client: ImapFlow, signal: AbortSignal): Promise<void> {
  const ending = new AbortController()
  const either = AbortSignal.any([signal, ending.signal, AbortSignal.timeout(longestQuietMs)])
  const heard = ['exists', 'close'].map((name) => once(client, name, { signal: either }))
  await Promise.race(heard).catch(() => {})
  ending.abort()
  await Promise.allSettled(heard)
}

/** Stores the mails above the last place that may be about sales, the oldest first, each with its place. */
async function catchUp(
  services: Services,
  mailbox: ClaimedMailbox,
  client: ImapFlow,
  place: { uid_validity: string | null; last_uid: number | null },
): Promise<void> {
  if (!client.mailbox) throw new Error('The folder was closed.')
  const uid_validity = String(client.mailbox.uidValidity)
  const isKnown = uid_validity === place.uid_validity && place.last_uid !== null
  const since = new Date(services.now().getTime() - firstDays * 86_400_000)
  const sought = isKnown ? { uid: `${place.last_uid! + 1}:*` } : { since }
  const found = (await client.search(sought, { uid: true })) || []
  const uids = found.filter((uid) => !isKnown || uid > place.last_uid!).sort((one, other) => one - other)
  // Without mails, the place is the end of the folder.
  const end = (client.mailbox.uidNext ?? 1) - 1
  for (let from = 0; from < uids.length; from += batch) {
    const some = uids.slice(from, from + batch)
    for (const { uid, size } of await listInteresting(client, some)) {
      const raw = await readMail(client, uid)
      if (raw) await keep(services, mailbox, { uid_validity, last_uid: uid }, { raw, size: Math.max(size, raw.length) })
    }
    await keep(services, mailbox, { uid_validity, last_uid: some.at(-1)! }, null)
  }
  const last_uid = uids.at(-1) ?? (isKnown ? place.last_uid! : end)
  if (!isKnown && uids.length === 0) await keep(services, mailbox, { uid_validity, last_uid }, null)
  Object.assign(place, { uid_validity, last_uid })
}

async function listInteresting(client: ImapFlow, uids: number[]): Promise<{ uid: number; size: number }[]> {
  const mails = await client.fetchAll(uids, { uid: true, envelope: true, size: true }, { uid: true })
  return mails
    .filter(({ envelope }) => {
      const from = (envelope?.from ?? []).map(({ name, address }) => `${name ?? ''} ${address ?? ''}`).join(' ')
      return mayBeSaleMail(from, envelope?.subject ?? '')
    })
    .map(({ uid, size }) => ({ uid, size: size ?? 0 }))
    .sort((one, other) => one.uid - other.uid)
}

/** Returns a mail, or its beginning if it is too large to be read; null if it is gone meanwhile. */
async function readMail(client: ImapFlow, uid: number): Promise<Buffer | null> {
  const mail = await client.fetchOne(String(uid), { source: { start: 0, maxLength: maxReadBytes + 1 } }, { uid: true })
  return mail ? (mail.source ?? null) : null
}

/** Stores the place in the folder, with the mail that was read there. */
function keep(
  services: Services,
  mailbox: ClaimedMailbox,
  place: { uid_validity: string; last_uid: number },
  mail: { raw: Buffer; size: number } | null,
): Promise<void> {
  return transaction(services.db, 'keep-mail', async (tx) => {
    await underLease(`the mailbox of ${mailbox.user_id}`, tx.oneOrNone(sql.moveMailbox({ ...mailbox, ...place })))
    if (mail) await storeMail(services, tx, { user_id: mailbox.user_id, via: 'imap', ...mail })
  })
}
