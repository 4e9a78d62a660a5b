import type { Sharp } from 'sharp'
import { createFairLimit } from '#server/infra/fair-limit.ts'
import { waysIn } from '#server/infra/ways-in/ways-in.ts'
import { decodeHeic } from './decode-heic.ts'
import { heicPixels } from './heic-header.ts'
import { pictureTypeOf } from './picture-type.ts'

/**
 * Largest picture in pixels. JPEGs are scaled while reading. Other formats decode to four bytes a pixel first, so 20
 * million take 80 MB. AVIF and interlaced PNG are slow, and AVIF cannot be interrupted.
 */
const maxPixels = { jpeg: waysIn.picture.pixels, heic: waysIn.heic.pixels, slow: 12_000_000, other: 20_000_000 }
/** Seconds that one picture may occupy a thread of sharp. */
const timeoutSeconds = 5
/** Pictures decoded at once in this process: their threads also read files. One slot is left to quick pictures. */
const limits = { width: waysIn.picture.atOnce.all, costlyWidth: waysIn.heic.atOnce.all }
/** Expected milliseconds for a million pixels, in the order of magnitude. */
const msOfMillion = { heic: 150, avif: 60, webp: 30, interlaced: 25, other: 7 }
/** Expected milliseconds above which a picture counts as costly. */
const costlyMs = 250

const inTurn = createFairLimit(limits)

export interface Decoded<Result> {
  result: Result
  /** Milliseconds of decoding, without waiting. */
  tookMs: number
}

/** Pixels of a picture, upright. */
interface Size {
  width: number
  height: number
}

/**
 * Decodes an untrusted picture of an account with limits on pixels, time and concurrency; only its first frame or page.
 * An account decodes one picture at a time, and turns are fair between accounts. `work` processes the picture, and may
 * read it once: the time limit is that of one reading. `gone` ends the wait, and the decoding of a HEIC. Throws its
 * reason, a TimeoutError for a picture that took too long with its wait, and plain errors for an unreadable or too large
 * picture.
 */
export async function decodePicture<Result>(
  bytes: Buffer,
  account: number | string,
  work: (picture: Sharp, size: Size) => Promise<Result>,
  gone?: AbortSignal,
): Promise<Decoded<Result>> {
  const header = pictureTypeOf(bytes) === 'image/heic' ? readHeicHeader(bytes) : await readHeader(bytes)
  const { pixels, mostPixels, wayIn } = header
  if (pixels > mostPixels) throw new Error('The picture exceeds the pixel limit of its format.')
  const tooLate = AbortSignal.timeout(waysIn[wayIn].giveUpMs)
  const signal = gone ? AbortSignal.any([gone, tooLate]) : tooLate
  const expectedMs = (pixels / 1_000_000) * header.msOfMillion
  const decode = async () => {
    const startedMs = performance.now()
    const { picture, size } = await header.open(signal)
    const result = await work(picture.flatten({ background: '#ffffff' }), size)
    return { result, tookMs: performance.now() - startedMs }
  }
  return inTurn(String(account), wayIn === 'heic' || expectedMs > costlyMs, decode, { expectedMs, signal })
}

interface Header {
  wayIn: 'heic' | 'picture'
  pixels: number
  mostPixels: number
  /** Expected milliseconds for a million pixels. */
  msOfMillion: number
  open: (ending: AbortSignal) => Promise<{ picture: Sharp; size: Size }>
}

function readHeicHeader(bytes: Buffer): Header {
  return {
    ...{ wayIn: 'heic', pixels: heicPixels(bytes), mostPixels: maxPixels.heic, msOfMillion: msOfMillion.heic },
    open: async (ending) => {
      const { data, ...size } = await decodeHeic(bytes, ending)
      const { default: sharp } = await import('sharp')
      return { picture: sharp(data, { raw: { ...size, channels: 4 } }), size }
    },
  }
}

async function readHeader(bytes: Buffer): Promise<Header> {
  const isJpeg = bytes[0] === 0xff && bytes[1] === 0xd8
  const limitInputPixels = isJpeg ? maxPixels.jpeg : maxPixels.other
  const { default: sharp } = await import('sharp')
  const picture = sharp(bytes, { limitInputPixels, failOn: 'error', pages: 1, sequentialRead: true })
  const { width, height, format, isProgressive, autoOrient } = await picture.metadata()
  const isSlow = format === 'heif' || (format === 'png' && isProgressive)
  const kind = format === 'heif' ? 'avif' : format === 'webp' ? 'webp' : isProgressive ? 'interlaced' : 'other'
  return {
    ...{ wayIn: 'picture', pixels: width * height, mostPixels: isSlow ? maxPixels.slow : limitInputPixels },
    msOfMillion: msOfMillion[kind],
    open: async () => ({ picture: picture.timeout({ seconds: timeoutSeconds }).rotate(), size: autoOrient }),
  }
}
