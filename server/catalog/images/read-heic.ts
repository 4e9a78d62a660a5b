import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import sharp from 'sharp'
import { problem } from '#server/infra/errors.ts'
import { createKeyedLimit } from '#server/infra/keyed-limit.ts'

/** Milliseconds that one photo may take. Twelve million pixels take about four seconds of a processor. */
const timeoutMs = 30_000

/** One photo at a time in this process, since each takes a processor and up to 400 MB. */
const inTurn = createKeyedLimit(1, 16)

/**
 * Converts a photo of an iPhone (HEIC) to an upright JPEG with its color profile. The decoder is compiled to WebAssembly
 * and runs in a thread of its own, so a hostile file reaches nothing and is given up in time: sharp's prebuilt libheif
 * reads no HEIC. Throws 400 `invalid_image` if it cannot be decoded.
 */
export function heicToJpeg(bytes: Buffer): Promise<Buffer> {
  return inTurn('heic', async () => {
    const worker = new Worker(new URL('./heic-worker.ts', import.meta.url), {
      workerData: bytes,
      // The decoder writes what it dislikes of a file.
      stdout: true,
      stderr: true,
      resourceLimits: { maxOldGenerationSizeMb: 512 },
    })
    try {
      const [decoded] = await once(worker, 'message', { signal: AbortSignal.timeout(timeoutMs) })
      const { data, width, height } = decoded as { data: Uint8ClampedArray; width: number; height: number }
      const raw = sharp(data, { raw: { width, height, channels: 4 } })
      return withProfile(await raw.removeAlpha().jpeg({ quality: 92 }).toBuffer(), profileOf(bytes))
    } catch (cause) {
      throw problem('invalid_image', 'The HEIC photo cannot be read. Save it as JPEG, and send that.', { cause })
    } finally {
      await worker.terminate()
    }
  })
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
