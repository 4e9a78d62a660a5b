import sharp from 'sharp'
import { type FetchPicture, type Picture, PictureError } from '#server/integrations/fetch-picture.ts'

/** Longest side of a converted picture. Etsy shows no more. */
const maxSide = 3_000
/** Maximum decoded size of a picture to convert. */
const maxPixels = 60_000_000

const accepted = ['image/jpeg', 'image/png', 'image/gif'] as const
type AcceptedType = (typeof accepted)[number]

/**
 * Fetches a picture in a format that Etsy accepts: JPEG, PNG and GIF unchanged, others (WebP, AVIF, HEIC) as JPEG.
 * Throws PictureError if it cannot be fetched or converted.
 */
export async function fetchEtsyPicture(
  fetchPicture: FetchPicture,
  address: string,
  signal?: AbortSignal,
): Promise<{ bytes: Buffer; type: AcceptedType }> {
  const { bytes, type } = await fetchPicture(address, signal)
  const asIs = accepted.find((one) => one === type)
  return asIs ? { bytes, type: asIs } : { bytes: await toJpeg(bytes, type), type: 'image/jpeg' }
}

async function toJpeg(bytes: Buffer, type: Picture['type']): Promise<Buffer> {
  try {
    return await sharp(bytes, { limitInputPixels: maxPixels, failOn: 'error', pages: 1 })
      .rotate()
      .flatten({ background: '#ffffff' })
      .resize(maxSide, maxSide, { fit: 'inside', withoutEnlargement: true })
      .jpeg({ quality: 92 })
      .toBuffer()
  } catch (cause) {
    // sharp throws plain errors, and its usual builds cannot read HEIC.
    const format = type.replace('image/', '').toUpperCase()
    throw new PictureError(`It is in a format that cannot be converted (${format}): save it as JPEG.`, false, { cause })
  }
}
