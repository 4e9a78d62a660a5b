import { RateLimiterMemory } from 'rate-limiter-flexible'
import { type Decoded, decodePicture } from '#server/http/outbound/decode-picture.ts'
import { type FetchPicture, type Picture, PictureError } from '#server/integrations/fetch-picture.ts'
import { type PhotoHash, photoHash } from './photo-hash.ts'

/**
 * Returns the hash of the picture at an address, null if there is none. Undefined: not read, because the account's
 * pictures took too much time lately.
 */
export type ReadPhoto = (url: string, signal?: AbortSignal, user_id?: number) => Promise<PhotoHash | null | undefined>

const side = 128
/** Milliseconds that a picture may take: an import waits for it. */
export const photoTimeoutMs = 3_000
/** Pictures of one account read at once. */
const mostOfAccount = 24
/** Milliseconds after which a picture counts as slow. */
const usual = { fetchMs: 250, decodeMs: 100 }
/**
 * Milliseconds that an account's slow pictures may cost in ten minutes. After that only words are compared. An import reads
 * six at once, so it waits for 30 seconds of them.
 */
const lostMs = 6 * 30_000
const lostSeconds = 600

/**
 * Creates the reader of pictures, limited in time, bytes and pixels. An account with slow picture hosts is not waited for
 * again and again, because imports share few slots.
 */
export function createReadPhoto(fetchPicture: FetchPicture): ReadPhoto {
  const lost = new RateLimiterMemory({ points: lostMs, duration: lostSeconds })
  const underWay = new Map<number, number>()

  return async (url, signal, user_id = 0) => {
    signal?.throwIfAborted()
    const count = underWay.get(user_id) ?? 0
    if (count >= mostOfAccount) return undefined
    underWay.set(user_id, count + 1)
    try {
      if (((await lost.get(user_id))?.consumedPoints ?? 0) >= lostMs) return undefined
      const startedMs = performance.now()
      const lose = (tookMs: number, usualMs: number) =>
        tookMs > usualMs ? lost.penalty(user_id, Math.round(tookMs - usualMs)) : undefined
      const picture = await fetchOrNull(url, signal).finally(() => lose(performance.now() - startedMs, usual.fetchMs))
      if (!picture) return null
      // An unreadable picture says nothing, whatever the decoder throws. Words decide then.
      const decoded = await decodeHash(picture.bytes, user_id).catch(() => null)
      if (decoded) await lose(decoded.tookMs, usual.decodeMs)
      signal?.throwIfAborted()
      return decoded?.result ?? null
    } finally {
      const left = (underWay.get(user_id) ?? 1) - 1
      if (left > 0) underWay.set(user_id, left)
      else underWay.delete(user_id)
    }
  }

  async function fetchOrNull(url: string, signal?: AbortSignal): Promise<Picture | null> {
    try {
      return await fetchPicture(url, signal)
    } catch (error) {
      signal?.throwIfAborted()
      if (error instanceof PictureError) return null
      throw error
    }
  }
}

/** Returns the hash of an encoded picture of an account. Throws sharp's errors for anything else. */
export function decodeHash(bytes: Buffer, user_id: number): Promise<Decoded<PhotoHash>> {
  return decodePicture(bytes, user_id, async (picture) => {
    const { data, info } = await picture
      .resize(side, side, { fit: 'fill' })
      .greyscale()
      .raw()
      .toBuffer({ resolveWithObject: true })
    return photoHash({ width: info.width, height: info.height, pixels: data })
  })
}
