import sharp, { type Metadata, type Sharp } from 'sharp'
import { createFairLimit } from '#server/infra/fair-limit.ts'

/**
 * Largest picture in pixels. JPEGs are scaled while reading. Other formats decode to four bytes a pixel first, so 20
 * million take 80 MB. AVIF and interlaced PNG are slow, and AVIF cannot be interrupted.
 */
const maxPixels = { jpeg: 60_000_000, slow: 12_000_000, other: 20_000_000 }
/** Seconds that one picture may occupy a thread. */
const timeoutSeconds = 5
/** Pictures decoded at once in this process: their threads also read files. One slot is left to quick pictures. */
const limits = { width: 2, costlyWidth: 1 }
/** Expected milliseconds for a million pixels, in the order of magnitude. */
const expectedMs = { avif: 60, webp: 30, interlaced: 25, other: 7 }
/** Expected milliseconds above which a picture counts as costly. */
const costlyMs = 250

const inTurn = createFairLimit(limits)

export interface Decoded<Result> {
  result: Result
  /** Milliseconds of decoding, without waiting. */
  tookMs: number
}

/**
 * Decodes an untrusted picture of an account with limits on pixels, time and concurrency; only its first frame or page.
 * An account decodes one picture at a time, and turns are fair between accounts. `work` processes the picture, and may
 * read it once: the time limit is that of one reading. Throws sharp's errors for an unreadable or too large picture.
 */
export async function decodePicture<Result>(
  bytes: Buffer,
  user_id: number,
  work: (picture: Sharp, metadata: Metadata) => Promise<Result>,
): Promise<Decoded<Result>> {
  const isJpeg = bytes[0] === 0xff && bytes[1] === 0xd8
  const limitInputPixels = isJpeg ? maxPixels.jpeg : maxPixels.other
  const picture = sharp(bytes, { limitInputPixels, failOn: 'error', pages: 1, sequentialRead: true })
  // Reads the header only.
  const metadata = await picture.metadata()
  const pixels = metadata.width * metadata.height
  const isSlow = metadata.format === 'heif' || (metadata.format === 'png' && metadata.isProgressive)
  if (isSlow && pixels > maxPixels.slow) throw new Error('The picture exceeds the pixel limit of its format.')
  return inTurn(String(user_id), isCostly(metadata, pixels), async () => {
    const startedMs = performance.now()
    const result = await work(
      picture.timeout({ seconds: timeoutSeconds }).rotate().flatten({ background: '#ffffff' }),
      metadata,
    )
    return { result, tookMs: performance.now() - startedMs }
  })
}

function isCostly({ format, isProgressive }: Metadata, pixels: number): boolean {
  const kind = format === 'heif' ? 'avif' : format === 'webp' ? 'webp' : isProgressive ? 'interlaced' : 'other'
  return (pixels / 1_000_000) * expectedMs[kind] > costlyMs
}
