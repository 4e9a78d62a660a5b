import { once } from 'node:events'
import { Worker } from 'node:worker_threads'

/** Pixels of a decoded picture, four bytes each. */
interface Pixels {
  data: Uint8ClampedArray
  width: number
  height: number
}

/**
 * Decodes a photo of an iPhone (HEIC), upright. The decoder is compiled to WebAssembly and runs in a thread of its own,
 * which ends with `ending`: sharp's prebuilt libheif reads no HEIC. Throws the reason of `ending`, and plain errors for
 * a file that cannot be decoded.
 */
export async function decodeHeic(bytes: Buffer, ending: AbortSignal): Promise<Pixels> {
  const worker = new Worker(new URL('./heic-worker.ts', import.meta.url), {
    workerData: bytes,
    // The decoder writes what it dislikes of a file.
    stdout: true,
    stderr: true,
    resourceLimits: { maxOldGenerationSizeMb: 64 },
  })
  try {
    const [decoded] = (await once(worker, 'message', { signal: ending })) as [Pixels]
    return decoded
  } catch (error) {
    ending.throwIfAborted()
    throw error
  } finally {
    await worker.terminate()
  }
}
