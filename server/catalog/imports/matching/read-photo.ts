import { RateLimiterMemory } from 'rate-limiter-flexible'
import type { Sharp } from 'sharp'
import { createPoliteFetch } from '#server/catalog/images/polite-fetch.ts'
import { type Decoded, decodePicture } from '#server/http/outbound/decode-picture.ts'
import { type FetchPicture, type Picture, PictureError } from '#server/integrations/fetch-picture.ts'
import { type PhotoHash, photoHash } from './photo-hash.ts'

/**
 * Returns the hash of the picture at an address, null if there is none. Undefined: not read, because its host fails at
 * the moment or the account's pictures took too much time lately. With `isPatient` slow pictures are read too, by few
 * requests at once to one host.
 */
export type ReadPhoto = (
  url: string,
  signal?: AbortSignal,
  user_id?: number,
  isPatient?: boolean,
) => Promise<PhotoHash | null | undefined>

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
 * again and again, because imports share few slots. `fetchSlowly` fetches what nobody waits for.
 */
export function createReadPhoto(fetchPicture: FetchPicture, fetchSlowly: FetchPicture = fetchPicture): ReadPhoto {
  const politely = createPoliteFetch(fetchSlowly)
  const lost = new RateLimiterMemory({ points: lostMs, duration: lostSeconds })
  const underWay = new Map<number, number>()

  return async (url, signal, user_id = 0, isPatient = false) => {
    signal?.throwIfAborted()
    const count = underWay.get(user_id) ?? 0
    if (count >= mostOfAccount) return undefined
    underWay.set(user_id, count + 1)
    try {
      if (!isPatient && ((await lost.get(user_id))?.consumedPoints ?? 0) >= lostMs) return undefined
      const startedMs = performance.now()
      const lose = (tookMs: number, usualMs: number) =>
        tookMs > usualMs && !isPatient ? lost.penalty(user_id, Math.round(tookMs - usualMs)) : undefined
      const fetching = isPatient ? politely(url, signal, user_id) : fetchPicture(url, signal)
      const picture = await orFailure(fetching, signal).finally(() =>
        lose(performance.now() - startedMs, usual.fetchMs),
      )
      if (!picture) return picture
      // An unreadable picture says nothing, whatever the decoder throws. Words decide then.
      const decoded = await decodeHash(picture.bytes, user_id, signal).catch(() => null)
      if (decoded) await lose(decoded.tookMs, usual.decodeMs)
      signal?.throwIfAborted()
      return decoded?.result ?? null
    } finally {
      const left = (underWay.get(user_id) ?? 1) - 1
      if (left > 0) underWay.set(user_id, left)
      else underWay.delete(user_id)
    }
  }
}

/** Returns the picture, null if there is none, and undefined if a later attempt may succeed. */
async function orFailure(fetching: Promise<Picture>, signal?: AbortSignal): Promise<Picture | null | undefined> {
  try {
    return await fetching
  } catch (error) {
    signal?.throwIfAborted()
    if (error instanceof PictureError) return error.passes ? undefined : null
    throw error
  }
}

/** Returns the hash of an encoded picture of an account. Throws sharp's errors for anything else. */
export function decodeHash(bytes: Buffer, user_id: number, gone?: AbortSignal): Promise<Decoded<PhotoHash>> {
  const read = async (picture: Sharp) => {
    const { data, info } = await picture
      .resize(side, side, { fit: 'fill' })
      .greyscale()
      .raw()
      .toBuffer({ resolveWithObject: true })
    return photoHash({ width: info.width, height: info.height, pixels: data })
  }
  return decodePicture(bytes, user_id, read, gone)
}
