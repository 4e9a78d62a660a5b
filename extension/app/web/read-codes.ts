/** The codes that are read: of our labels, of products, and of other programs' SKU labels. */
const formats = ['qr_code', 'ean_13', 'ean_8', 'upc_a', 'upc_e', 'code_128', 'code_39'] as const

interface Detector {
  detect(source: HTMLVideoElement): Promise<{ rawValue: string }[]>
}
interface DetectorClass {
  new (options: { formats: readonly string[] }): Detector
  getSupportedFormats(): Promise<string[]>
}

type ReadCode = (video: HTMLVideoElement) => Promise<string | null>

/** Returns a function that reads a code in a picture: the browser's own, or where it lacks the formats a library's. */
export async function codeReader(): Promise<ReadCode> {
  const { BarcodeDetector } = globalThis as { BarcodeDetector?: DetectorClass }
  const known = (await BarcodeDetector?.getSupportedFormats().catch(() => [])) ?? []
  if (!BarcodeDetector || !formats.every((format) => known.includes(format))) return zxingReader()
  const detector = new BarcodeDetector({ formats })
  return async (video) => (await detector.detect(video))[0]?.rawValue ?? null
}

/** Longest side of the picture that the library reads. A larger one takes longer than the next look. */
const mostPixels = 960

async function zxingReader(): Promise<ReadCode> {
  const { zxingRead } = await import('./zxing-read.ts')
  const canvas = document.createElement('canvas')
  return async (video) => {
    const scale = Math.min(1, mostPixels / Math.max(video.videoWidth, video.videoHeight, 1))
    const [width, height] = [Math.round(video.videoWidth * scale), Math.round(video.videoHeight * scale)]
    if (width === 0 || height === 0) return null
    Object.assign(canvas, { width, height })
    const context = canvas.getContext('2d', { willReadFrequently: true })!
    context.drawImage(video, 0, 0, width, height)
    return zxingRead(context.getImageData(0, 0, width, height))
  }
}
