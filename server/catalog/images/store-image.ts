import { createHash } from 'node:crypto'
import { shareOpenAccount } from '#server/http/lock-user.ts'
import type { Queries } from '#server/infra/db/index.ts'
import { transaction } from '#server/infra/db/transaction.ts'
import { problem } from '#server/infra/errors.ts'
import type { ImageStore } from '#server/infra/image-store/image-store.ts'
import { createKeyedLimit } from '#server/infra/keyed-limit.ts'
import type { Services } from '#server/services.ts'
import type { Image } from '#shared/contract/catalog/images.ts'
import { newId } from '#shared/identity.ts'
import { encodeImage, heicToJpeg, imageTypeOf, isHeic } from './encode-image.ts'
import { imageToWire } from './image-to-wire.ts'
import * as sql from './queries.ts'

/** Photos of one account handled at once, and waiting: one is stored while the next is decoded (decode-picture.ts). */
const inTurn = createKeyedLimit(2, 32)

interface Storing {
  services: Services
  store: ImageStore
  user_id: number
  /** Ends the work: the client has left. */
  gone?: AbortSignal | undefined
}

/**
 * Stores an image of an account: the original unchanged, and the served sizes. 200 with the existing image if the account
 * has the same original, turned the same way. The row comes first and is marked when all files are written, so that a
 * repeated upload finishes what a crash interrupted. A HEIC is kept as JPEG. Throws the problems of encodeImage, 409 `quota_exceeded`, and 503 if
 * the storage fails, and the reason of `gone`.
 */
export function storeImage(
  { services, store, user_id, gone }: Storing,
  given: Buffer,
  rotation = 0,
): Promise<{ status: 200 | 201; body: Image }> {
  return inTurn(String(user_id), async () => {
    const { db, config } = services
    // Before the decoding, which costs more.
    if (isHeic(given)) await refuseIfFull(services, db, user_id, given.length)
    const bytes = isHeic(given) ? await heicToJpeg(given, user_id, gone) : given
    const type = imageTypeOf(bytes)
    const original = { user_id, original_hash: createHash('sha256').update(bytes).digest(), rotation }
    const known = await db.oneOrNone(sql.findOriginal(original))
    if (known?.stored_at) {
      await db.none(sql.touchImage({ user_id, uid: known.uid }))
      return { status: 200, body: imageToWire(known, config.PUBLIC_URL) }
    }
    await refuseIfFull(services, db, user_id, bytes.length)
    const { width, height, sizes } = await encodeImage(bytes, rotation, user_id, gone)
    const total = sizes.reduce((sum, size) => sum + size.bytes.length, bytes.length)
    const row = await transaction(db, 'insert-image', async (tx) => {
      await shareOpenAccount(tx, user_id)
      await refuseIfFull(services, tx, user_id, total)
      await tx.none(sql.insertImage({ ...original, uid: newId('img'), type, width, height, bytes: total }))
      return tx.one(sql.findOriginal(original))
    })
    try {
      await store.put(row.uid, 'original', bytes, type)
      for (const size of sizes) await store.put(row.uid, size.size, size.bytes, 'image/jpeg')
    } catch (cause) {
      services.log.error({ err: cause, user_id }, 'a photo could not be stored')
      throw problem('unavailable', 'The photo storage cannot be reached right now.', { cause, retryAfterSeconds: 10 })
    }
    const isStored = await db.oneOrNone(sql.markStored({ user_id, uid: row.uid }))
    if (!isStored) throw problem('unauthenticated')
    return { status: 201, body: imageToWire(row, config.PUBLIC_URL) }
  })
}

async function refuseIfFull({ config }: Services, queries: Queries, user_id: number, more: number): Promise<void> {
  const { bytes } = await queries.one(sql.sumBytes({ user_id }))
  if (bytes + more <= config.QUOTA_IMAGES_MB * 1_000_000) return
  const most = `The photos of an account take at most ${config.QUOTA_IMAGES_MB.toLocaleString('en')} MB.`
  throw problem('quota_exceeded', `${most} Delete items that you no longer need.`)
}
