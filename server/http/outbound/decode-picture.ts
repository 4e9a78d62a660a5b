import sharp, { type Sharp } from 'sharp'
import { createKeyedLimit } from '#server/infra/keyed-limit.ts'

/**
 * Pixels of a picture that is decoded. A JPEG is scaled down while it is read; every other format is decoded to four bytes
 * a pixel first, so that 20 million take 80 MB.
 */
const maxPixels = { jpeg: 60_000_000, other: 20_000_000 }
/** Seconds of a thread that one picture may take. */
const timeoutSeconds = 5
/** Pictures decoded at once in this process: their threads also hash passwords and read files. */
const together = 2

const limit = createKeyedLimit(together)

export interface Decoded<Result> {
  result: Result
  /** Milliseconds of decoding, without the wait for a turn. */
  tookMs: number
}

/**
 * Decodes a stranger's picture: bounded in pixels before anything is decoded, in time, and in how many are decoded at once;
 * of several frames or pages only the first. `work` says what is made of it. Throws sharp's errors for an unreadable or too
 * large picture.
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
