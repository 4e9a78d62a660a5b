/**
 * Perceptual hashes of a picture, 64 bits each: of the whole and of several crops, so that a cropped copy still
 * matches.
 */
export interface PhotoHash {
  whole: bigint
  cuts: readonly bigint[]
}

/** Gray values 0 to 255, row by row. */
export interface GrayPicture {
  width: number
  height: number
  pixels: Uint8Array
}

const side = 32
const low = 8
/** Differing bits, of 64, up to which two hashes are equal. */
const maxDistance = 11

/** Crops that a platform or seller may have made: share of the picture and position. */
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

/** Computes the hashes of a picture. Light, size and compression hardly change them. */
export function photoHash(picture: GrayPicture): PhotoHash {
  return {
    whole: hashOf(picture, { x: 0, y: 0, share: 1 }),
    cuts: windows.map((window) => hashOf(picture, window)),
  }
}

/** Returns whether two pictures are the same, one of them perhaps cropped. */
export function samePhoto(one: PhotoHash, other: PhotoHash): boolean {
  if (distance(one.whole, other.whole) <= maxDistance) return true
  return (
    other.cuts.some((cut) => distance(one.whole, cut) <= maxDistance - 1) ||
    one.cuts.some((cut) => distance(other.whole, cut) <= maxDistance - 1)
  )
}

/** Returns a perceptual hash: the signs of a small copy's low frequencies, against their median. */
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

/** Shrinks a window of the picture to 32 by 32 cells, each the mean of its pixels. */
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

/** Returns the 8 by 8 lowest frequencies of the cosine transform. */
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
