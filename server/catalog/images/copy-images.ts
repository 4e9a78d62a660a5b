import { shareOpenAccount } from '#server/http/lock-user.ts'
import { sql } from '#server/infra/db/index.ts'
import { retriedTransaction } from '#server/infra/db/retried.ts'
import { HttpProblem } from '#server/infra/errors.ts'
import type { ImageStore } from '#server/infra/image-store/index.ts'
import { createKeyedLimit } from '#server/infra/keyed-limit.ts'
import { enqueueMessage } from '#server/infra/mail-sms/outbox.ts'
import { photosFullMail } from '#server/infra/mail-sms/templates.ts'
import { publish } from '#server/infra/observed.ts'
import { type FetchPicture, PictureError } from '#server/integrations/fetch-picture.ts'
import type { Services } from '#server/services.ts'
import { emitEvents } from '#server/webhooks/emit.ts'
import { imageUidOf } from './remove-images.ts'
import { storeImage } from './store-image.ts'

const claim = sql(import.meta.url, './sql/claim-copies.sql')
const findOwn = sql(import.meta.url, './sql/find-own-images.sql')
const record = sql(import.meta.url, './sql/record-copy.sql')
const postpone = sql(import.meta.url, './sql/postpone-copy.sql')
const pause = sql(import.meta.url, './sql/pause-copies.sql')
const replace = sql(import.meta.url, './sql/replace-images.sql')
const settle = sql(import.meta.url, './sql/settle-copy.sql')

/** Items claimed in one step: of so many accounts, so many of each. */
const claims = { accounts: 8, per_account: 4 }
/** Items copied at once. */
const together = 4
/** Seconds until the next attempt. After the last one, photos that cannot be fetched stay where they are. */
const waits = [60, 600, 3_600, 21_600, 86_400]
/** Seconds until the next attempt after the photo storage failed. */
const storageWait = 300

const isFull = 'The photos of the account are full.'

interface DueItem {
  user_id: number
  item_uid: string
  attempts: number
  images: string[]
  /** Of an earlier attempt. */
  sources: string[]
  copies: (string | null)[]
}

export interface CopyTools {
  services: Services
  store: ImageStore
  fetchPicture: FetchPicture
  /** Tests end a worker here. */
  step?: (name: 'fetched' | 'stored' | 'replaced') => Promise<void>
}

/** A photo that was not copied. `passes`: a later attempt may succeed. */
interface Failure {
  failure: string
  passes: boolean
}

/** An account or the storage takes no photos now, so the item waits without an attempt. */
class CannotStoreError extends Error {
  readonly code: 'full' | 'storage' | 'closed'
  constructor(code: 'full' | 'storage' | 'closed', cause: unknown) {
    super(`photos cannot be stored: ${code}`, { cause })
    this.code = code
  }
}

/**
 * Copies the photos of due items from marketplaces and puts the addresses of the copies into the items, so that photos
 * outlive the listing. An item changes once, when each of its photos is copied or given up. That is one version and one
 * event, however many photos it has. Returns the number of items, 0 to wait.
 */
export async function copyDueImages(tools: CopyTools, signal?: AbortSignal): Promise<number> {
  const { db, disk } = tools.services
  // The remaining disk space is for sales and delisting.
  if (disk?.isLow()) return 0
  const due = await db.any<DueItem>(claim, claims)
  const inTurn = createKeyedLimit(together)
  const done = await Promise.allSettled(due.map((item) => inTurn('', () => copyItem(tools, item, signal))))
  const failed = done.find((one) => one.status === 'rejected')
  if (failed) throw failed.reason
  return done.every((one) => one.status === 'fulfilled' && one.value) ? due.length : 0
}

/** Returns false if further items must wait. */
async function copyItem(tools: CopyTools, item: DueItem, signal?: AbortSignal): Promise<boolean> {
  const { services } = tools
  const ref = { user_id: item.user_id, item_uid: item.item_uid }
  const later = (seconds: number, failure: string | null, attempts = item.attempts - 1) =>
    services.db.none(postpone, { ...ref, seconds, failure, attempts })
  const copies = await findCopies(tools, item)
  const failures: Failure[] = []
  try {
    for (const [index, address] of item.images.entries()) {
      if (copies[index]) continue
      const outcome = await copyImage(tools, item.user_id, address, signal)
      publish('imageCopy', { outcome: 'url' in outcome ? 'stored' : outcome.passes ? 'retried' : 'failed' })
      if ('failure' in outcome) failures.push(outcome)
      else {
        copies[index] = outcome.url
        await services.db.none(record, { ...ref, sources: item.images, copies })
      }
    }
  } catch (error) {
    if (signal?.aborted) {
      await later(0, null)
      return false
    }
    if (!(error instanceof CannotStoreError)) throw error
    if (error.code === 'full') await pauseAccount(tools, item.user_id)
    else await later(storageWait, error.message)
    return error.code !== 'storage'
  }
  const failure = failures[0]?.failure ?? null
  const wait = failures.some(({ passes }) => passes) ? waits[item.attempts - 1] : undefined
  if (wait !== undefined) await later(wait, failure, item.attempts)
  else await finish(tools, { ...item, copies }, failure)
  return true
}

/** Returns the known address of each photo: of an image that the account has, or of an earlier copy. */
async function findCopies({ services }: CopyTools, item: DueItem): Promise<(string | null)[]> {
  const known = new Map(item.sources.map((source, index) => [source, item.copies[index] ?? null]))
  const found = item.images.map((address) => known.get(address) ?? address)
  const uids = found.map(imageUidOf)
  const own = await services.db.map(
    findOwn,
    { user_id: item.user_id, uids: uids.filter((uid) => uid !== null) },
    ({ uid }: { uid: string }) => uid,
  )
  return found.map((address, index) => (own.includes(uids[index] ?? '') ? address : null))
}

async function copyImage(
  tools: CopyTools,
  user_id: number,
  address: string,
  signal?: AbortSignal,
): Promise<{ url: string } | Failure> {
  const step = tools.step ?? (async () => {})
  signal?.throwIfAborted()
  try {
    const { bytes } = await tools.fetchPicture(address, signal)
    await step('fetched')
    const { body } = await storeImage({ ...tools, user_id }, bytes)
    await step('stored')
    return { url: body.url }
  } catch (error) {
    if (error instanceof PictureError) return { failure: error.message, passes: error.passes }
    if (!(error instanceof HttpProblem)) throw error
    switch (error.code) {
      case 'invalid_image':
      case 'unsupported_image':
        return { failure: error.message, passes: false }
      case 'quota_exceeded':
        throw new CannotStoreError('full', error)
      case 'unauthenticated':
        throw new CannotStoreError('closed', error)
      case 'unavailable':
        throw new CannotStoreError('storage', error)
      default:
        throw error
    }
  }
}

/** Puts the copies into the item. If its images changed meanwhile, the change has queued it again. */
async function finish({ services, step }: CopyTools, item: DueItem, failure: string | null): Promise<void> {
  const { user_id, item_uid, images: sources } = item
  const copies = sources.map((source, index) => item.copies[index] ?? source)
  const isNew = copies.some((copy, index) => copy !== sources[index])
  await retriedTransaction(services.db, 'replace-images', async (tx) => {
    await shareOpenAccount(tx, user_id)
    const values = { user_id, item_uid, sources, copies, failure }
    const changed = isNew ? await tx.oneOrNone<{ version: number }>(replace, values) : null
    if (isNew && !changed) return
    await tx.none(settle, values)
    await step?.('replaced')
    if (!changed) return
    const data = { inventory_item_uid: item_uid, version: changed.version }
    await emitEvents(tx, user_id, [{ type: 'item.updated', item_uid, data }])
  })
}

/** Waits a day with all photos of an account that is full, and tells the seller once. */
async function pauseAccount({ services }: CopyTools, user_id: number): Promise<void> {
  await services.db.tx('pause-copies', async (tx) => {
    const seller = await tx.oneOrNone<{ email: string | null }>(pause, { user_id, failure: isFull })
    services.log.info({ user_id }, 'photos are not copied, because those of the account are full')
    if (!seller?.email) return
    await enqueueMessage(services, tx, {
      template: 'photos-full',
      user_id,
      message: photosFullMail(seller.email, services.config.QUOTA_IMAGES_MB),
      expiresInSeconds: 86_400,
      dedupeKey: `photos full ${user_id} ${services.now().toISOString().slice(0, 7)}`,
    })
  })
}
