/** Measures words, and draws those in scripts that the fonts of PDF lack. */
export interface Pen {
  /** Returns the width of words at a size of 1. */
  widthOf: (words: string) => number
  /** Returns a PNG of a line, as wide as `widthOf` says and `pictureHeight` high at a size of 1. */
  draw: (words: string) => Promise<ArrayBuffer>
}

/** The height of a picture of words, and how much of it is below the baseline, at a size of 1. */
export const pictureHeight = 1.5
export const pictureDepth = 0.4

/** Pixels of a picture at a size of 1: at 12 points they are finer than a label printer's 300 dpi. */
const pixels = 64

/** Draws with the fonts of the seller's device, which has those of the scripts that its seller writes. */
export function canvasPen(): Pen {
  const canvas = document.createElement('canvas')
  const open = () => {
    const context = canvas.getContext('2d')!
    context.font = `bold ${pixels}px Helvetica, Arial, sans-serif`
    return context
  }
  const widthOf = (words: string) => open().measureText(words).width / pixels
  return {
    widthOf,
    async draw(words) {
      canvas.width = Math.max(1, Math.ceil(widthOf(words) * pixels))
      canvas.height = pictureHeight * pixels
      open().fillText(words, 0, (pictureHeight - pictureDepth) * pixels)
      const picture = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve))
      if (!picture) throw new Error('The browser cannot draw this title.')
      return picture.arrayBuffer()
    },
  }
}
