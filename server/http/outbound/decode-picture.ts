import sharp, { type Sharp } from 'sharp'
import { createKeyedLimit } from '#server/infra/keyed-limit.ts'

/**
 * Largest picture in pixels. JPEGs are scaled while reading; other formats decode to four bytes a pixel first, so 20
 * million take 80 MB.
 */
const maxPixels = { jpeg: 60_000_000, other: 20_000_000 }
/** Seconds that one picture may occupy a thread. */
const timeoutSeconds = 5
/** Pictures decoded at once in this process: their threads also read files. */
const together = 2

const limit = createKeyedLimit(together)

export interface Decoded<Result> {
  result: Result
  /** Milliseconds of decoding, without waiting. */
  tookMs: number
}

/**
 * Decodes an untrusted picture with limits on pixels, time and concurrency; only its first frame or page. `work`
 * processes it. Throws sharp's errors for an unreadable or too large picture.
 */
export function decodePicture<Result>(
  bytes: Buffer,
  work: (picture: Sharp) => Promise<Result>,
): Promise<Decoded<Result>> {
  return limit('decode', async () => {
    const startedMs = performance.now()
    const isJpeg = bytes[0] === 0xff && bytes[1] === 0xd8
    const limitInputPixels = isJpeg ? maxPixels.jpeg : maxPixels.other
    const picture = sharp(bytes, { limitInputPixels, failOn: 'error', pages: 1, sequentialRead: true })
    const result = await work(picture.timeout({ seconds: timeoutSeconds }).rotate().flatten({ background: '#ffffff' }))
    return { result, tookMs: performance.now() - startedMs }
  })
}
