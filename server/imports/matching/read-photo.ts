import sharp from 'sharp'
import type { Config } from '#server/config.ts'
import { createFetchPicture, PictureError } from '#server/platforms/fetch-picture.ts'
import { type PhotoPrint, photoPrint } from './photo-print.ts'

/** The print of the picture at an address; null where there is none to be had. */
export type ReadPhoto = (url: string, signal?: AbortSignal) => Promise<PhotoPrint | null>

/** Pixels that a picture may have: beyond, decoding would cost more than the picture tells. */
const maxPixels = 60_000_000
const side = 128

/**
 * Reads pictures from public addresses and the configured platforms' own hosts (decisions 10, threats T84), bounded in
 * time, bytes and pixels.
 */
export function createReadPhoto(config: Pick<Config, 'EBAY_API_URL' | 'ETSY_API_URL'>): ReadPhoto {
  const platformOrigins = [config.EBAY_API_URL, config.ETSY_API_URL].map((url) => new URL(url).origin)
  const fetchPicture = createFetchPicture({ platformOrigins, timeoutMs: 5_000 })
  return async (url, signal) => {
    const bytes = await fetchPicture(url, signal).then(
      (picture) => picture.bytes,
      (error: unknown) => {
        signal?.throwIfAborted()
        if (error instanceof PictureError) return null
        throw error
      },
    )
    if (!bytes) return null
    // A picture that cannot be read tells nothing, whatever words its decoder has for that; what speaks for or against is
    // then told by the words alone.
    const print = await printOf(bytes).catch(() => null)
    signal?.throwIfAborted()
    return print
  }
}

/** The print of an encoded picture. Throws sharp's errors for what is none. */
export async function printOf(bytes: Buffer): Promise<PhotoPrint> {
  const { data, info } = await sharp(bytes, { limitInputPixels: maxPixels, failOn: 'error', pages: 1 })
    .rotate()
    .flatten({ background: '#ffffff' })
    .resize(side, side, { fit: 'fill' })
    .greyscale()
    .raw()
    .toBuffer({ resolveWithObject: true })
  return photoPrint({ width: info.width, height: info.height, pixels: data })
}
