import { shareOpenAccount } from '#server/http/lock-user.ts'
import type { Queries } from '#server/infra/db/index.ts'
import type { RowOf } from '#server/infra/db/statement.ts'
import { transaction } from '#server/infra/db/transaction.ts'
import { HttpProblem } from '#server/infra/errors.ts'
import type { ImageStore } from '#server/infra/image-store/image-store.ts'
import { enqueueMessage } from '#server/infra/mail-sms/outbox.ts'
import { photosFullMail } from '#server/infra/mail-sms/templates.ts'
import { publish } from '#server/infra/observed.ts'
import { type FetchPicture, PictureError } from '#server/integrations/fetch-picture.ts'
import type { Services } from '#server/services.ts'
import { emitEvents } from '#server/webhooks/emit.ts'
import * as sql from './queries.ts'
import { imageUidOf } from './remove-images.ts'
import { storeImage } from './store-image.ts'

/** Items copied at once, one of an account. Accounts whose pictures were slow lately share a few of these slots. */
const slots = { all: 8, slow: 2 }
/** Milliseconds that an attempt at an item may go without a copied photo, and in all. The next attempt continues. */
const usualTimeouts = { idleMs: 20_000, allMs: 60_000 }
/** Milliseconds a photo after which an item with failures is slow, and for how long its account counts as slow then. */
const slow = { photoMs: 5_000, forMs: 600_000 }
/** Milliseconds after which a step claims no more items. */
const stepMs = 60_000
/** Seconds until the next attempt. After the last one, photos that cannot be fetched stay where they are. */
const waits = [60, 600, 3_600, 21_600, 86_400]
/** Seconds until the next attempt after the photo storage failed. */
const storageWait = 300

const isFull = 'The photos of the account are full.'
const tookTooLong = 'The pictures took too long.'

type DueItem = RowOf<typeof sql.claimCopies>

export interface CopyTools {
  services: Services
  store: ImageStore
  /** Fetches a picture for an account. */
  fetchPicture: (address: string, signal: AbortSignal | undefined, user_id: number) => ReturnType<FetchPicture>
  /** Accounts whose pictures were slow, and until when. Kept from one step to the next. */
  slowAccounts?: Map<number, number>
  timeouts?: { idleMs: number; allMs: number }
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
 * event, however many photos it has. Returns the number of items, 0 to wait. Accounts take turns, and an item has a time
 * limit, so that hanging picture hosts of some accounts do not keep the others waiting.
 */
export async function copyDueImages(tools: CopyTools, signal?: AbortSignal): Promise<number> {
  const { db, disk } = tools.services
  // The remaining disk space is for sales and delisting.
  if (disk?.isLow()) return 0
  const { slowAccounts = new Map<number, number>() } = tools
  const running = new Map<number, Promise<void>>()
  const errors: unknown[] = []
  const untilMs = performance.now() + stepMs
  let count = 0
  let mayGoOn = true

  async function start(item: DueItem): Promise<void> {
    const outcome = await copyItem(tools, item, signal).catch((error: unknown) => {
      errors.push(error)
      return 'stop' as const
    })
    if (outcome === 'stop') mayGoOn = false
    if (outcome === 'slow') slowAccounts.set(item.user_id, performance.now() + slow.forMs)
    running.delete(item.user_id)
  }

  for (;;) {
    for (const [user_id, until] of slowAccounts) if (until <= performance.now()) slowAccounts.delete(user_id)
    const mayClaim = mayGoOn && !signal?.aborted && performance.now() < untilMs
    const due = mayClaim ? await claimItems(db, [...running.keys()], [...slowAccounts.keys()]) : []
    for (const item of due) running.set(item.user_id, start(item))
    count += due.length
    if (running.size === 0) break
    // Whichever ends first frees a slot, so nobody waits for the slowest.
    await Promise.race(running.values())
  }
  if (errors.length > 0) throw errors[0]
  return mayGoOn ? count : 0
}

/** Claims items for the free slots: of accounts that were slow only so many as their share has left. */
async function claimItems(queries: Queries, busy: number[], slowOnes: number[]): Promise<DueItem[]> {
  const free = slots.all - busy.length
  const freeToSlow = Math.min(free, slots.slow - busy.filter((user_id) => slowOnes.includes(user_id)).length)
  const usual = await queries.any(sql.claimCopies({ busy, slow: slowOnes, is_slow: false, accounts: free }))
  const accounts = Math.min(freeToSlow, free - usual.length)
  if (slowOnes.length === 0 || accounts <= 0) return usual
  return [...usual, ...(await queries.any(sql.claimCopies({ busy, slow: slowOnes, is_slow: true, accounts })))]
}

/** Returns `slow` if photos failed slowly, `stop` if further items must wait. */
async function copyItem(tools: CopyTools, item: DueItem, signal?: AbortSignal): Promise<'done' | 'slow' | 'stop'> {
  const { services, timeouts = usualTimeouts } = tools
  const startedMs = performance.now()
  const tooLate = new AbortController()
  const end = () => tooLate.abort(new Error(tookTooLong))
  const timer = setTimeout(end, timeouts.allMs)
  let idle = setTimeout(end, timeouts.idleMs)
  const ending = signal ? AbortSignal.any([signal, tooLate.signal]) : tooLate.signal
  const ref = { user_id: item.user_id, item_uid: item.item_uid }
  const later = (seconds: number, failure: string | null, attempts = item.attempts - 1) =>
    services.db.none(sql.postponeCopy({ ...ref, seconds, failure, attempts }))
  const copies = await findCopies(tools, item)
  const failures: Failure[] = []
  let copied = 0
  try {
    for (const [index, address] of item.images.entries()) {
      if (copies[index]) continue
      const outcome = await copyImage(tools, item.user_id, address, ending)
      publish('imageCopy', { outcome: 'url' in outcome ? 'stored' : outcome.passes ? 'retried' : 'failed' })
      if ('failure' in outcome) failures.push(outcome)
      else {
        copied++
        clearTimeout(idle)
        idle = setTimeout(end, timeouts.idleMs)
        copies[index] = outcome.url
        await services.db.none(sql.recordCopy({ ...ref, sources: item.images, copies }))
      }
    }
  } catch (error) {
    if (signal?.aborted) {
      await later(0, null)
      return 'stop'
    }
    if (tooLate.signal.aborted) {
      // An attempt that copied something does not count, so that a slow host is not given up.
      const wait = copied > 0 ? waits[0] : waits[item.attempts - 1]
      if (wait === undefined) await finish(tools, { ...item, copies }, tookTooLong)
      else await later(wait, tookTooLong, copied > 0 ? item.attempts - 1 : item.attempts)
      return 'slow'
    }
    if (!(error instanceof CannotStoreError)) throw error
    if (error.code === 'full') await pauseAccount(tools, item.user_id)
    else await later(storageWait, error.message)
    return error.code === 'storage' ? 'stop' : 'done'
  } finally {
    clearTimeout(timer)
    clearTimeout(idle)
  }
  const failure = failures[0]?.failure ?? null
  const wait = failures.some(({ passes }) => passes) ? waits[item.attempts - 1] : undefined
  if (wait !== undefined) await later(wait, failure, item.attempts)
  else await finish(tools, { ...item, copies }, failure)
  const isSlow = failures.length > 0 && performance.now() - startedMs > slow.photoMs * (copied + 1)
  return isSlow ? 'slow' : 'done'
}

/** Returns the known address of each photo: of an image that the account has, or of an earlier copy. */
async function findCopies({ services }: CopyTools, item: DueItem): Promise<(string | null)[]> {
  const known = new Map(item.sources.map((source, index) => [source, item.copies[index] ?? null]))
  const found = item.images.map((address) => known.get(address) ?? address)
  const uids = found.map(imageUidOf)
  const own = (
    await services.db.any(sql.findOwnImages({ user_id: item.user_id, uids: uids.filter((uid) => uid !== null) }))
  ).map(({ uid }: { uid: string }) => uid)
  return found.map((address, index) => (own.includes(uids[index] ?? '') ? address : null))
}

async function copyImage(
  tools: CopyTools,
  user_id: number,
  address: string,
  signal?: AbortSignal,
): Promise<{ url: string } | Failure> {
  signal?.throwIfAborted()
  try {
    const { bytes } = await tools.fetchPicture(address, signal, user_id)
    const { body } = await storeImage({ ...tools, user_id, gone: signal }, bytes)
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
async function finish({ services }: CopyTools, item: DueItem, failure: string | null): Promise<void> {
  const { user_id, item_uid, images: sources } = item
  const copies = sources.map((source, index) => item.copies[index] ?? source)
  const isNew = copies.some((copy, index) => copy !== sources[index])
  await transaction(services.db, 'replace-images', async (tx) => {
    await shareOpenAccount(tx, user_id)
    const values = { user_id, item_uid, sources, copies, failure }
    const changed = isNew ? await tx.oneOrNone(sql.replaceImages(values)) : null
    if (isNew && !changed) return
    await tx.none(sql.settleCopy(values))
    if (!changed) return
    const data = { inventory_item_uid: item_uid, version: changed.version }
    await emitEvents(tx, user_id, [{ type: 'item.updated', item_uid, data }])
  })
}

/** Waits a day with all photos of an account that is full, and tells the seller once. */
async function pauseAccount({ services }: CopyTools, user_id: number): Promise<void> {
  await transaction(services.db, 'pause-copies', async (tx) => {
    const seller = await tx.oneOrNone(sql.pauseCopies({ user_id, failure: isFull }))
    if (!seller?.email) return
    await enqueueMessage(services, tx, {
      template: 'photos-full',
      user_id,
      message: photosFullMail(seller.email, services.config.QUOTA_IMAGES_MB),
      expiresInSeconds: 86_400,
      dedupeKey: `photos full ${user_id} ${services.now().toISOString().slice(0, 7)}`,
    })
  })
  services.log.info({ user_id }, 'photos are not copied, because those of the account are full')
}
