import { decodePicture } from '#server/http/outbound/decode-picture.ts'
import { problem } from '#server/infra/errors.ts'
import { type ImageSize, imageSizes } from '#server/infra/image-store/image-url.ts'

const quality = 85

/** The format of an upload, by its first bytes. */
const formats: { type: string; isFormat: (bytes: Uint8Array) => boolean }[] = [
  { type: 'image/jpeg', isFormat: (bytes) => bytes[0] === 0xff && bytes[1] === 0xd8 && bytes[2] === 0xff },
  { type: 'image/png', isFormat: (bytes) => textAt(bytes, 0, 8) === '\x89PNG\r\n\x1a\n' },
  { type: 'image/webp', isFormat: (bytes) => textAt(bytes, 0, 4) === 'RIFF' && textAt(bytes, 8, 4) === 'WEBP' },
  { type: 'image/avif', isFormat: (bytes) => ['ftypavif', 'ftypavis'].includes(textAt(bytes, 4, 8)) },
]

const textAt = (bytes: Uint8Array, start: number, length: number) =>
  String.fromCharCode(...bytes.subarray(start, start + length))

/** Returns the media type of an image. Throws 415 `unsupported_image` for another format. */
export function imageTypeOf(bytes: Uint8Array): string {
  const type = formats.find(({ isFormat }) => isFormat(bytes))?.type
  if (type) return type
  const isHeic = textAt(bytes, 4, 4) === 'ftyp'
  throw problem(
    'unsupported_image',
    isHeic
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
