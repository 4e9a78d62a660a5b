import sharp, { type ResizeOptions } from 'sharp'
import { decodePicture } from '#server/http/outbound/decode-picture.ts'
import { problem } from '#server/infra/errors.ts'
import { type ImageSize, imageSizes, largestSize } from '#server/infra/image-store/image-url.ts'
import { pictureTypeOf } from '#server/integrations/fetch-picture.ts'

const quality = 85

const types = ['image/jpeg', 'image/png', 'image/webp', 'image/avif']

/** Returns the media type of an image. Throws 415 `unsupported_image` for another format. */
export function imageTypeOf(bytes: Buffer): string {
  const type = pictureTypeOf(bytes)
  if (type && types.includes(type)) return type
  throw problem('unsupported_image', 'Send a photo as JPEG, PNG, WebP, AVIF or HEIC.')
}

/** Returns whether a file is a photo of an iPhone, which sharp does not read. */
export const isHeic = (bytes: Buffer): boolean => pictureTypeOf(bytes) === 'image/heic'

const scaleTo = (size: ImageSize): ResizeOptions => ({
  ...{ width: Number(size), height: Number(size), fit: 'inside', withoutEnlargement: true },
})

interface EncodedImage {
  /** Pixels of the original, upright and turned. */
  width: number
  height: number
  sizes: { size: ImageSize; bytes: Buffer }[]
}

/**
 * Makes the served sizes of an account's image: upright JPEGs in sRGB without metadata, turned by `rotation` degrees
 * clockwise. Decodes the image once, to the largest size, and makes the others from that. Throws 400 `invalid_image` if
 * the image cannot be decoded within the limits on pixels and time.
 */
export async function encodeImage(bytes: Buffer, rotation: number, user_id: number): Promise<EncodedImage> {
  try {
    const { result } = await decodePicture(bytes, user_id, async (picture, { autoOrient }) => {
      const isTurned = rotation % 180 !== 0
      const [width, height] = isTurned ? [autoOrient.height, autoOrient.width] : [autoOrient.width, autoOrient.height]
      const scaled = picture.resize(scaleTo(largestSize))
      const turned = rotation === 0 ? scaled : scaled.rotate(rotation)
      const largest = await turned.raw().toBuffer({ resolveWithObject: true })
      const { width: rawWidth, height: rawHeight, channels } = largest.info
      const sizes = []
      for (const size of imageSizes) {
        const raw = sharp(largest.data, { raw: { width: rawWidth, height: rawHeight, channels } })
        sizes.push({ size, bytes: await raw.resize(scaleTo(size)).jpeg({ quality }).toBuffer() })
      }
      return { width, height, sizes }
    })
    return result
  } catch (cause) {
    // sharp throws plain errors that describe the input.
    const isTooLarge = cause instanceof Error && /pixel limit/i.test(cause.message)
    const detail = isTooLarge
      ? 'The photo has too many pixels: at most 60 million as JPEG, 12 million as AVIF or interlaced PNG, 20 million in other formats.'
      : 'The photo is damaged or incomplete.'
    throw problem('invalid_image', detail, { cause })
  }
}
