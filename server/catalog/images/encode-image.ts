import { decodePicture } from '#server/http/outbound/decode-picture.ts'
import { problem } from '#server/infra/errors.ts'
import { type ImageSize, imageSizes } from '#server/infra/image-store/image-url.ts'
import { pictureTypeOf } from '#server/integrations/fetch-picture.ts'

const quality = 85

const types = ['image/jpeg', 'image/png', 'image/webp', 'image/avif']

/** Returns the media type of an image. Throws 415 `unsupported_image` for another format. */
export function imageTypeOf(bytes: Buffer): string {
  const type = pictureTypeOf(bytes)
  if (type && types.includes(type)) return type
  throw problem(
    'unsupported_image',
    type === 'image/heic'
      ? 'HEIC photos cannot be read here. Save the photo as JPEG; on an iPhone choose Settings, Camera, Formats, Most Compatible.'
      : 'Send a photo as JPEG, PNG, WebP or AVIF.',
  )
}

export interface EncodedImage {
  /** Pixels of the original, upright and turned. */
  width: number
  height: number
  sizes: { size: ImageSize; bytes: Buffer }[]
}

/**
 * Makes the served sizes of an image: upright JPEGs in sRGB without metadata, turned by `rotation` degrees clockwise.
 * Throws 400 `invalid_image` if the image cannot be decoded within the limits on pixels and time.
 */
export async function encodeImage(bytes: Buffer, rotation: number): Promise<EncodedImage> {
  try {
    const { result } = await decodePicture(bytes, async (picture) => {
      const { autoOrient } = await picture.metadata()
      const isTurned = rotation % 180 !== 0
      const [width, height] = isTurned ? [autoOrient.height, autoOrient.width] : [autoOrient.width, autoOrient.height]
      const sizes = []
      for (const size of imageSizes) {
        const side = Number(size)
        const scaled = picture.clone().resize(side, side, { fit: 'inside', withoutEnlargement: true })
        const turned = rotation === 0 ? scaled : scaled.rotate(rotation)
        sizes.push({ size, bytes: await turned.jpeg({ quality }).toBuffer() })
      }
      return { width, height, sizes }
    })
    return result
  } catch (cause) {
    // sharp throws plain errors that describe the input.
    const isTooLarge = cause instanceof Error && /pixel limit/i.test(cause.message)
    const detail = isTooLarge
      ? 'The photo has too many pixels: at most 60 million as JPEG, 20 million in other formats.'
      : 'The photo is damaged or incomplete.'
    throw problem('invalid_image', detail, { cause })
  }
}
