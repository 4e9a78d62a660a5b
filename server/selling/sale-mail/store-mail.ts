import { encrypt } from '#server/infra/crypto/encrypt.ts'
import type { Queries } from '#server/infra/db/index.ts'
import { waysIn } from '#server/infra/ways-in/ways-in.ts'
import { askWhichItem } from '#server/selling/sales/ask-which-item.ts'
import type { Services } from '#server/services.ts'
import { newOrderedId } from '#shared/identity.ts'
import { mailPlace, saleMailKey } from './encryption.ts'
import * as sql from './queries.ts'
import { maxReadBytes } from './reading/parse-mail.ts'

/** The queue of mails to decide. */
export const saleMailQueue = 'sale-mail'

const daySeconds = 86_400
const { kept } = waysIn.smtp
/** Mails of an account whose last mails were mostly refused wait this long behind others. */
const refusedSeconds = 600
/** Priorities are seconds since then, since they are 32-bit integers. */
const prioritiesSince = Date.UTC(2026, 0) / 1_000

/** There is no room for a mail: its account has had enough for a day, or the disk is nearly full. It may come again later. */
export class NoRoomError extends Error {
  override name = 'NoRoomError'

  /** The account that has had enough; null for a full disk. */
  readonly user_id: number | null

  constructor(message: string, user_id: number | null = null) {
    super(message)
    this.user_id = user_id
  }
}

interface ArrivedMail {
  user_id: number
  via: 'smtp' | 'imap'
  /** The mail; at least its first `maxReadBytes`. */
  raw: Buffer
  /** Bytes of the whole mail. */
  size: number
  /** The network that brought it by SMTP. */
  network?: string | undefined
}

/** A mail to decide. */
export interface SaleMailJob {
  user_id: number
  uid: string
  network?: string | undefined
}

/** Throws NoRoomError while the disk is nearly full. */
export function requireDisk({ disk }: Pick<Services, 'disk'>): void {
  if (disk?.isLow()) throw new NoRoomError('Hapax has no room for mails at the moment and tries again later.')
}

/** Throws NoRoomError unless an account may get one more mail today. */
export async function requireRoom(queries: Queries, user_id: number): Promise<void> {
  const used = await queries.oneOrNone(sql.readMailQuota({ subject: quotaOf(user_id) }))
  if ((used?.ahead ?? 0) + secondsOf(0) > daySeconds) throw new NoRoomError(enough, user_id)
}

const enough = 'Too many mails came in today. Hapax reads the others tomorrow.'

/** Tells the seller once a day that mails were not taken, which may be about sales. */
export async function tellOfRefusedMails({ db, now }: Pick<Services, 'db' | 'now'>, user_id: number): Promise<void> {
  const reference = `mails:${now().toISOString().slice(0, 10)}`
  const nothing = { platform: null, sold: { title: null, price_minor: null, currency: null }, candidates: [], data: {} }
  await askWhichItem(db, { user_id, reference, about: 'mails_refused', ...nothing })
}

/**
 * Stores a mail encrypted and queues its decision, in the caller's transaction. After that it may be accepted. Throws
 * NoRoomError. A mail takes its part of the account's day, by its bytes or as one of the mails of a day. Mails are decided
 * in the order of these parts: those of an account that sends many wait for those of others.
 */
export async function storeMail(
  services: Pick<Services, 'config' | 'jobs' | 'disk'>,
  queries: Queries,
  { user_id, via, raw, size, network }: ArrivedMail,
): Promise<void> {
  requireDisk(services)
  const uid = newOrderedId('mal')
  const seconds = secondsOf(size)
  const used = await queries.one(sql.countMail({ subject: quotaOf(user_id), seconds }))
  if (used.ahead > daySeconds) throw new NoRoomError(enough, user_id)
  const text = size > maxReadBytes ? '' : raw
  const encrypted_mail = encrypt(text, mailPlace(user_id, uid), saleMailKey(services.config))
  const { refused } = await queries.one(sql.insertMail({ user_id, uid, via, encrypted_mail, size }))
  const turn = used.ends_at - seconds + (refused > 10 ? refusedSeconds : 0)
  await queueMail(services.jobs, queries, { user_id, uid, network }, { turn })
}

const quotaOf = (user_id: number) => `mails:${user_id}`

/** Returns the seconds of its account's day that a mail takes. */
const secondsOf = (size: number) => daySeconds * Math.max(1 / kept.count, Math.min(size, maxReadBytes) / kept.bytes)

/** Queues the decision about a stored mail. `turn`: the time by which mails are ordered, in seconds; now by default. */
export function queueMail(
  jobs: Services['jobs'],
  queries: Queries,
  job: SaleMailJob,
  { turn = Date.now() / 1_000, startAfterSeconds }: { turn?: number; startAfterSeconds?: number } = {},
): Promise<void> {
  const priority = -Math.max(1, Math.round(turn - prioritiesSince))
  return jobs.send(queries, saleMailQueue, job, {
    group: String(job.user_id),
    priority,
    ...(startAfterSeconds !== undefined && { startAfterSeconds }),
  })
}
