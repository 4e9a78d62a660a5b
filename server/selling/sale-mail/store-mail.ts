import { encrypt } from '#server/infra/crypto/encrypt.ts'
import type { Queries } from '#server/infra/db/index.ts'
import type { Services } from '#server/services.ts'
import { newOrderedId } from '#shared/identity.ts'
import { mailPlace, saleMailKey } from './encryption.ts'
import * as sql from './queries.ts'
import { maxReadBytes } from './reading/parse-mail.ts'

/** The queue of mails to decide. */
export const saleMailQueue = 'sale-mail'

/** Bytes that are kept of a mail that is too large to be read. */
const keptOfLarge = 65_536

export interface ArrivedMail {
  user_id: number
  via: 'smtp' | 'imap'
  /** The mail; at least its first `maxReadBytes`. */
  raw: Buffer
  /** Bytes of the whole mail. */
  size: number
}

/** A mail to decide. */
export interface SaleMailJob {
  user_id: number
  uid: string
}

/** Stores a mail encrypted and queues its decision, in the caller's transaction. After that it may be accepted. */
export async function storeMail(
  { config, jobs }: Pick<Services, 'config' | 'jobs'>,
  queries: Queries,
  { user_id, via, raw, size }: ArrivedMail,
): Promise<void> {
  const uid = newOrderedId('mal')
  const kept = size > maxReadBytes ? raw.subarray(0, keptOfLarge) : raw
  const encrypted_mail = encrypt(kept.toString('base64'), mailPlace(user_id, uid), saleMailKey(config))
  await queries.none(sql.insertMail({ user_id, uid, via, encrypted_mail, size }))
  await queueMail(jobs, queries, { user_id, uid })
}

/** Queues the decision about a stored mail. */
export function queueMail(
  jobs: Services['jobs'],
  queries: Queries,
  job: SaleMailJob,
  startAfterSeconds?: number,
): Promise<void> {
  const options = { group: String(job.user_id), ...(startAfterSeconds !== undefined && { startAfterSeconds }) }
  return jobs.send(queries, saleMailQueue, job, options)
}
