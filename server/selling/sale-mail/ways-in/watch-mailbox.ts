import { setTimeout as wait } from 'node:timers/promises'
import type { ImapFlow } from 'imapflow'
import { decrypt } from '#server/infra/crypto/encrypt.ts'
import type { RowOf } from '#server/infra/db/statement.ts'
import { transaction } from '#server/infra/db/transaction.ts'
import { holdLease, LeaseLostError, underLease } from '#server/infra/jobs/lease.ts'
import { waysIn } from '#server/infra/ways-in/ways-in.ts'
import type { Services } from '#server/services.ts'
import { passwordPlace, saleMailKey } from '../encryption.ts'
import * as sql from '../queries.ts'
import { mayBeSaleMail } from '../reading/marketplaces.ts'
import { maxReadBytes } from '../reading/parse-mail.ts'
import { NoRoomError, storeMail, tellOfRefusedMails } from '../store-mail.ts'
import { createIdlePlaces, type IdlePlaces } from './idle-places.ts'
import { type OpenMailbox, openMailbox } from './imap-connection.ts'
import { MailboxError } from './mailbox-error.ts'

/** A mailbox whose lease the caller holds (`claimMailbox`). */
export type ClaimedMailbox = RowOf<typeof sql.claimMailbox>

/** Another worker takes a mailbox over after this time without a sign of life. */
export const mailboxLeaseSeconds = 60
/** The first pause after a failure. Each doubles it, up to the longest. */
const [firstPauseSeconds, longestPauseSeconds] = [5, 900]
/** Time without a connection for each second of reading, so that slow servers hold few places. */
const restPerSecond = 15
/** Least time from one reading to the next over a connection, whatever its server tells. */
const leastGapMs = 1_000
/** Days of mails: of the first reading or of a folder that was made anew, and of those after it. */
const [firstDays, laterDays] = [3, 30]
/** Mails whose senders are read at once. Each failure in a row divides it by ten: some servers and mails need it. */
const batch = 100
const { allBytes, quietBytes } = waysIn.imap

/**
 * Reads a mailbox: what came since the last place, then each new mail as the server tells of it. Ends at the signal, and
 * when another mailbox needs the place more. A failure is recorded, and the mailbox is tried again later.
 */
export async function watchMailbox(
  services: Services,
  mailbox: ClaimedMailbox,
  stop: AbortSignal,
  places: IdlePlaces = createIdlePlaces(1),
): Promise<void> {
  const { db, config, log, times } = services
  const work = `the mailbox of ${mailbox.user_id}`
  const renew = () =>
    underLease(work, db.oneOrNone(sql.renewMailbox({ ...mailbox, lease_seconds: mailboxLeaseSeconds })))
  const lease = holdLease(services, {
    work,
    everyMs: times.mailboxBeatMs,
    renew,
  })
  const signal = AbortSignal.any([stop, lease.lost])
  let open: OpenMailbox | null = null
  const close = () => open?.close()
  signal.addEventListener('abort', close, { once: true })
  let beganMs = performance.now()
  const restSeconds = () =>
    Math.min(longestPauseSeconds, Math.round(((performance.now() - beganMs) / 1_000) * restPerSecond))
  try {
    const password = decrypt(mailbox.encrypted_password, passwordPlace(mailbox.user_id), saleMailKey(config))
    open = await openMailbox({ ...mailbox, password }, services, signal)
    const { client, meter } = open
    const place = {
      uid_validity: mailbox.uid_validity,
      last_uid: mailbox.last_uid,
    }
    for (;;) {
      const news = listenForNews(client)
      meter.begin(allBytes, times.mailboxReadMs)
      await catchUp(services, mailbox, open, place)
      const { last_sale_at } = await underLease(work, db.oneOrNone(sql.markMailboxRead(mailbox)))
      const rest = Math.max(times.mailboxEveryMs / 1_000, restSeconds())
      const idle = places.take(last_sale_at === null ? 0 : Date.parse(last_sale_at))
      meter.begin(quietBytes, 2 * times.mailboxEveryMs)
      // Ends with the next command. A server without IDLE is asked by NOOP.
      client.idle().catch(() => {})
      await news.next(times.mailboxEveryMs, AbortSignal.any([signal, idle.ended]))
      beganMs = performance.now()
      idle.leave()
      signal.throwIfAborted()
      if (idle.ended.aborted) {
        await db.none(sql.restMailbox({ ...mailbox, rest_seconds: rest }))
        return
      }
      if (!client.usable) throw open.failureOf(new MailboxError('lost'))
    }
  } catch (thrown) {
    if (thrown instanceof LeaseLostError || signal.aborted) return
    const error = open && !(thrown instanceof NoRoomError) ? open.failureOf(thrown) : thrown
    const pause = Math.min(longestPauseSeconds, firstPauseSeconds * 2 ** Math.min(mailbox.failures, 20))
    log.warn({ err: error, user_id: mailbox.user_id }, waysIn.imap.logged)
    const isOurs = error instanceof MailboxError || error instanceof NoRoomError
    const { message } = isOurs ? error : new MailboxError('lost')
    await db.none(
      sql.failMailbox({
        ...mailbox,
        last_error: message,
        after_seconds: Math.max(pause, restSeconds()),
      }),
    )
    if (error instanceof NoRoomError && error.user_id !== null) await tellOfRefusedMails(services, error.user_id)
  } finally {
    lease.release()
    signal.removeEventListener('abort', close)
    close()
    if (stop.aborted) await db.none(sql.restMailbox({ ...mailbox, rest_seconds: 0 }))
  }
}

/** Listens from now on for new mails and for the end of the connection. */
function listenForNews(client: ImapFlow) {
  const beganMs = performance.now()
  const heard = new AbortController()
  const hear = () => heard.abort()
  client.once('exists', hear).once('close', hear)
  return {
    /** Resolves when there was something or at the signal; at the latest when it is time to look. */
    async next(longestMs: number, signal: AbortSignal): Promise<void> {
      const either = AbortSignal.any([signal, heard.signal])
      await wait(longestMs, undefined, { signal: either }).catch(() => {})
      client.off('exists', hear).off('close', hear)
      const gapMs = beganMs + leastGapMs - performance.now()
      if (client.usable && gapMs > 0) await wait(gapMs, undefined, { signal }).catch(() => {})
    },
  }
}

/** Stores the mails above the last place that may be about sales, the oldest first, each with its place. */
async function catchUp(
  services: Services,
  mailbox: ClaimedMailbox,
  open: OpenMailbox,
  place: { uid_validity: string | null; last_uid: number | null },
): Promise<void> {
  const { client, meter } = open
  if (!client.mailbox) throw new MailboxError('lost')
  const uid_validity = String(client.mailbox.uidValidity)
  const isKnown = uid_validity === place.uid_validity && place.last_uid !== null
  const days = isKnown ? laterDays : firstDays
  const since = new Date(services.now().getTime() - days * 86_400_000)
  const keepPlace = async (last_uid: number, mail: { raw: Buffer; size: number } | null = null) => {
    await keep(services, mailbox, { uid_validity, last_uid }, mail)
    Object.assign(place, { uid_validity, last_uid })
  }
  /** Passes over a mail of which the server sends too much, or it would be the end of the mailbox. */
  const orPassOver = async <Answer>(uids: number[], asked: Promise<Answer>): Promise<Answer> => {
    try {
      return await asked
    } catch (error) {
      if (uids.length === 1 && meter.failure?.reason === 'too_much') await keepPlace(uids[0]!)
      throw error
    }
  }

  meter.ask()
  const found = await client.search(isKnown ? { uid: `${place.last_uid! + 1}:*`, since } : { since }, { uid: true })
  if (!found) throw new MailboxError('lost')
  const uids = found.filter((uid) => !isKnown || uid > place.last_uid!).sort((one, other) => one - other)
  // Without mails, the place is the end of the folder.
  if (!isKnown && uids.length === 0) await keepPlace((client.mailbox.uidNext ?? 1) - 1)
  const size = Math.max(1, Math.floor(batch / 10 ** mailbox.failures))
  for (let from = 0; from < uids.length; from += size) {
    const some = uids.slice(from, from + size)
    for (const mail of await orPassOver(some, listInteresting(open, some))) {
      const raw = await orPassOver([mail.uid], readMail(open, mail.uid))
      if (raw)
        await keepPlace(mail.uid, {
          raw,
          size: Math.max(mail.size, raw.length),
        })
    }
    await keepPlace(some.at(-1)!)
  }
}

async function listInteresting(
  { client, meter }: OpenMailbox,
  uids: number[],
): Promise<{ uid: number; size: number }[]> {
  const interesting = new Map<number, { uid: number; size: number }>()
  const asked = new Set(uids)
  meter.ask()
  for await (const { uid, envelope, size = 0 } of client.fetch(
    uids,
    { uid: true, envelope: true, size: true },
    { uid: true },
  )) {
    const from = (envelope?.from ?? []).map(({ name, address }) => `${name ?? ''} ${address ?? ''}`).join(' ')
    if (asked.has(uid) && mayBeSaleMail(from, envelope?.subject ?? '')) interesting.set(uid, { uid, size })
  }
  return [...interesting.values()].sort((one, other) => one.uid - other.uid)
}

/** Returns a mail, or its beginning if it is too large to be read; null if it is gone meanwhile. */
async function readMail({ client, meter }: OpenMailbox, uid: number): Promise<Buffer | null> {
  meter.ask()
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
    if (mail)
      await storeMail(services, tx, {
        user_id: mailbox.user_id,
        via: 'imap',
        ...mail,
      })
  })
}
