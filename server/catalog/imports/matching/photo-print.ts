/**
 * What a picture looks like, in a few 64-bit numbers: one of the whole, and one of each of several cuts of it, so that the
 * same picture cut another way still meets itself.
 */
export interface PhotoPrint {
  whole: bigint
  cuts: readonly bigint[]
}

/** Grey values 0 to 255, row by row. */
export interface GrayPicture {
  width: number
  height: number
  pixels: Uint8Array
}

const side = 32
const low = 8
/** Differing bits of 64 up to which two pictures are taken for the same. */
const sameUpTo = 11

/** Shares of the picture that a platform or seller may have left of it, and where. */
const windows = [0.92, 0.85, 0.77].flatMap((share) => {
  const rest = 1 - share
  return [
    [0.5, 0.5],
    [0, 0],
    [1, 0],
    [0, 1],
    [1, 1],
    [0.5, 0],
    [0.5, 1],
    [0, 0.5],
    [1, 0.5],
  ].map(([x, y]) => ({ x: x! * rest, y: y! * rest, share }))
})

/** The print of a picture. Light, size, and how strongly it is compressed make no difference; what is on it does. */
export function photoPrint(picture: GrayPicture): PhotoPrint {
  return {
    whole: hashOf(picture, { x: 0, y: 0, share: 1 }),
    cuts: windows.map((window) => hashOf(picture, window)),
  }
}

/** Whether two prints are of the same picture, one of them perhaps cut. */
export function samePhoto(one: PhotoPrint, other: PhotoPrint): boolean {
  if (distance(one.whole, other.whole) <= sameUpTo) return true
  return (
    other.cuts.some((cut) => distance(one.whole, cut) <= sameUpTo - 1) ||
    one.cuts.some((cut) => distance(other.whole, cut) <= sameUpTo - 1)
  )
}

/** A perceptual hash: the signs of the low frequencies of a small copy, against their median. */
function hashOf(picture: GrayPicture, window: { x: number; y: number; share: number }): bigint {
  const frequencies = lowFrequencies(shrink(picture, window))
  const sorted = Float64Array.from(frequencies.subarray(1)).sort()
  const median = sorted[Math.floor(sorted.length / 2)]!
  let hash = 0n
  for (let index = 1; index < low * low; index++) {
    if (frequencies[index]! > median) hash |= 1n << BigInt(index)
  }
  return hash
}

/** A window of the picture at 32 by 32, each cell the mean of what it covers. */
function shrink({ width, height, pixels }: GrayPicture, window: { x: number; y: number; share: number }): Float64Array {
  const cells = new Float64Array(side * side)
  const stepX = (width * window.share) / side
  const stepY = (height * window.share) / side
  for (let row = 0; row < side; row++) {
    const top = Math.floor(window.y * height + row * stepY)
    const bottom = Math.max(top + 1, Math.floor(window.y * height + (row + 1) * stepY))
    for (let column = 0; column < side; column++) {
      const left = Math.floor(window.x * width + column * stepX)
      const right = Math.max(left + 1, Math.floor(window.x * width + (column + 1) * stepX))
      let sum = 0
      for (let y = top; y < bottom; y++) for (let x = left; x < right; x++) sum += pixels[y * width + x] ?? 0
      cells[row * side + column] = sum / ((bottom - top) * (right - left))
    }
  }
  return cells
}

const cosines = Float64Array.from({ length: low * side }, (_, index) => {
  const [frequency, position] = [Math.floor(index / side), index % side]
  return Math.cos(((2 * position + 1) * frequency * Math.PI) / (2 * side))
})

/** The 8 by 8 lowest frequencies of the cosine transform. */
function lowFrequencies(cells: Float64Array): Float64Array {
  const rows = new Float64Array(side * low)
  for (let row = 0; row < side; row++) {
    for (let u = 0; u < low; u++) {
      let sum = 0
      for (let column = 0; column < side; column++) sum += cells[row * side + column]! * cosines[u * side + column]!
      rows[row * low + u] = sum
    }
  }
  const result = new Float64Array(low * low)
  for (let v = 0; v < low; v++) {
    for (let u = 0; u < low; u++) {
      let sum = 0
      for (let row = 0; row < side; row++) sum += rows[row * low + u]! * cosines[v * side + row]!
      result[v * low + u] = sum
    }
  }
  return result
}

function distance(one: bigint, other: bigint): number {
  let bits = one ^ other
  let count = 0
  while (bits > 0n) {
    bits &= bits - 1n
    count++
  }
  return count
}
