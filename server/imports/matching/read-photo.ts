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
    try {
      const { bytes } = await fetchPicture(url, signal)
      return await printOf(bytes)
    } catch (error) {
      signal?.throwIfAborted()
      // A picture that cannot be read tells nothing; what speaks for or against is then told by the words alone.
      if (error instanceof PictureError || isUndecodable(error)) return null
      throw error
    }
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

/** sharp throws plain errors, which say what is wrong with the input. */
function isUndecodable(error: unknown): boolean {
  return error instanceof Error && /input|unsupported|corrupt|premature|pixel limit|vips/i.test(error.message)
}
