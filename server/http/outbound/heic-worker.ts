import { setPriority } from 'node:os'
import { parentPort, workerData } from 'node:worker_threads'
import libheif from 'libheif-js/wasm-bundle.js'
import { waysIn } from '#server/infra/ways-in/ways-in.ts'

/** Most memory of the decoder in bytes. A photo of 50 million pixels needs 400 MB. Limits of a thread do not count it. */
const maxMemory = 640_000_000

// On Linux, this is the priority of the thread. Elsewhere it would slow down the whole process.
if (process.platform === 'linux') setPriority(10)

const grow = WebAssembly.Memory.prototype.grow
WebAssembly.Memory.prototype.grow = function (pages) {
  if (this.buffer.byteLength + pages * 65_536 > maxMemory) throw new RangeError('The picture needs too much memory.')
  return grow.call(this, pages)
}

const images = new libheif.HeifDecoder().decode(workerData as Uint8Array)
const image = images.find((one) => one.is_primary())
if (!image) throw new Error('The file has no picture.')
const [width, height] = [image.get_width(), image.get_height()]
if (width * height > waysIn.heic.pixels) throw new Error('The picture exceeds the pixel limit of its format.')
const data = new Uint8ClampedArray(width * height * 4)
image.display({ data, width, height }, (shown) => {
  if (!shown) throw new Error('The picture cannot be decoded.')
  parentPort!.postMessage({ data, width, height }, [data.buffer])
})
