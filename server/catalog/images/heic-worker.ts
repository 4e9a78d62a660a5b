import { parentPort, workerData } from 'node:worker_threads'
import libheif from 'libheif-js/wasm-bundle.js'

/** Largest photo in pixels. Each takes four bytes. */
const maxPixels = 50_000_000

const images = new libheif.HeifDecoder().decode(workerData as Uint8Array)
const image = images.find((one) => one.is_primary()) ?? images[0]
if (!image) throw new Error('The file has no picture.')
const [width, height] = [image.get_width(), image.get_height()]
if (width * height > maxPixels) throw new Error('The picture exceeds the pixel limit of its format.')
const data = new Uint8ClampedArray(width * height * 4)
image.display({ data, width, height }, (shown) => {
  if (!shown) throw new Error('The picture cannot be decoded.')
  parentPort!.postMessage({ data, width, height }, [data.buffer])
})
