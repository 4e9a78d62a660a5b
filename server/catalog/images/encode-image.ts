import type { ResizeOptions } from 'sharp'
import { decodePicture } from '#server/http/outbound/decode-picture.ts'
import { pictureTypeOf } from '#server/http/outbound/picture-type.ts'
import { problem } from '#server/infra/errors.ts'
import { type ImageSize, imageSizes, largestSize } from '#server/infra/image-store/image-url.ts'

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
 * clockwise. Decodes the image once, to the largest size, and makes the others from that. Throws the problems of
 * `decodeUpload`.
 */
export function encodeImage(
  bytes: Buffer,
  rotation: number,
  user_id: number,
  gone?: AbortSignal,
): Promise<EncodedImage> {
  return decodeUpload(bytes, user_id, gone, async (picture, size) => {
    const isTurned = rotation % 180 !== 0
    const [width, height] = isTurned ? [size.height, size.width] : [size.width, size.height]
    const scaled = picture.resize(scaleTo(largestSize))
    const turned = rotation === 0 ? scaled : scaled.rotate(rotation)
    const largest = await turned.raw().toBuffer({ resolveWithObject: true })
    const { width: rawWidth, height: rawHeight, channels } = largest.info
    const { default: sharp } = await import('sharp')
    const sizes = []
    for (const size of imageSizes) {
      const raw = sharp(largest.data, { raw: { width: rawWidth, height: rawHeight, channels } })
      sizes.push({ size, bytes: await raw.resize(scaleTo(size)).jpeg({ quality }).toBuffer() })
    }
    return { width, height, sizes }
  })
}

/** Converts an account's photo of an iPhone (HEIC) to an upright JPEG with its color profile. Throws as `encodeImage`. */
export async function heicToJpeg(bytes: Buffer, user_id: number, gone?: AbortSignal): Promise<Buffer> {
  const jpeg = await decodeUpload(bytes, user_id, gone, (picture) => picture.jpeg({ quality: 92 }).toBuffer())
  return withProfile(jpeg, profileOf(bytes))
}

/**
 * Decodes an account's image. Throws 400 `invalid_image` if it cannot be decoded within the limits on pixels and time, 503
 * `unavailable` if its turn does not come, and the reason of `gone`.
 */
async function decodeUpload<Result>(
  bytes: Buffer,
  user_id: number,
  gone: AbortSignal | undefined,
  work: Parameters<typeof decodePicture<Result>>[2],
): Promise<Result> {
  try {
    return (await decodePicture(bytes, user_id, work, gone)).result
  } catch (cause) {
    gone?.throwIfAborted()
    if (cause instanceof Error && cause.name === 'TimeoutError') {
      const detail = 'Reading this photo took too long. Send it again in a few minutes, or send a smaller one.'
      throw problem('unavailable', detail, { cause, retryAfterSeconds: 60 })
    }
    // sharp and the decoder of HEIC throw plain errors that describe the input.
    const isTooLarge = cause instanceof Error && /pixel limit/i.test(cause.message)
    const damaged = isHeic(bytes)
      ? 'The HEIC photo cannot be read. Save it as JPEG, and send that.'
      : 'The photo is damaged or incomplete.'
    const detail = isTooLarge
      ? 'The photo has too many pixels: at most 60 million as JPEG, 48 million as HEIC, 12 million as AVIF or interlaced PNG, 20 million in other formats.'
      : damaged
    throw problem('invalid_image', detail, { cause })
  }
}

/** Returns the color profile of a HEIC file; null for none. iPhones use wide colors, which look dull without it. */
function profileOf(bytes: Buffer): Buffer | null {
  const at = bytes.indexOf('colrprof', 0, 'latin1')
  return at < 4 ? null : bytes.subarray(at + 8, at - 4 + bytes.readUInt32BE(at - 4))
}

/** Most bytes of a profile in one segment of a JPEG. */
const mostProfile = 65_519

function withProfile(jpeg: Buffer, profile: Buffer | null): Buffer {
  if (profile === null || profile.length === 0 || profile.length > mostProfile) return jpeg
  const head = Buffer.from('\xff\xe2\0\0ICC_PROFILE\0\x01\x01', 'latin1')
  head.writeUInt16BE(profile.length + 16, 2)
  return Buffer.concat([jpeg.subarray(0, 2), head, profile, jpeg.subarray(2)])
}
