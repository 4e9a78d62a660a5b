import { crc32, deflateSync } from 'node:zlib'

/** Letters on a grid of 5 by 7: one number per row, one bit per column. */
const glyphs: Record<string, number[]> = {
  A: [14, 17, 17, 31, 17, 17, 17],
  B: [30, 17, 17, 30, 17, 17, 30],
  C: [14, 17, 16, 16, 16, 17, 14],
  D: [30, 17, 17, 17, 17, 17, 30],
  E: [31, 16, 16, 30, 16, 16, 31],
  F: [31, 16, 16, 30, 16, 16, 16],
  G: [14, 17, 16, 23, 17, 17, 14],
  H: [17, 17, 17, 31, 17, 17, 17],
  I: [14, 4, 4, 4, 4, 4, 14],
  J: [7, 2, 2, 2, 2, 18, 12],
  K: [17, 18, 20, 24, 20, 18, 17],
  L: [16, 16, 16, 16, 16, 16, 31],
  M: [17, 27, 21, 21, 17, 17, 17],
  N: [17, 25, 21, 19, 17, 17, 17],
  O: [14, 17, 17, 17, 17, 17, 14],
  P: [30, 17, 17, 30, 16, 16, 16],
  Q: [14, 17, 17, 17, 21, 18, 13],
  R: [30, 17, 17, 30, 20, 18, 17],
  S: [15, 16, 16, 14, 1, 1, 30],
  T: [31, 4, 4, 4, 4, 4, 4],
  U: [17, 17, 17, 17, 17, 17, 14],
  V: [17, 17, 17, 17, 17, 10, 4],
  W: [17, 17, 17, 21, 21, 27, 17],
  X: [17, 17, 10, 4, 10, 17, 17],
  Y: [17, 17, 10, 4, 4, 4, 4],
  Z: [31, 1, 2, 4, 8, 16, 31],
  '0': [14, 17, 19, 21, 25, 17, 14],
  '1': [4, 12, 4, 4, 4, 4, 14],
  '2': [14, 17, 1, 6, 8, 16, 31],
  '3': [30, 1, 1, 14, 1, 1, 30],
  '4': [2, 6, 10, 18, 31, 2, 2],
  '5': [31, 16, 30, 1, 1, 17, 14],
  '6': [14, 16, 16, 30, 17, 17, 14],
  '7': [31, 1, 2, 4, 4, 4, 4],
  '8': [14, 17, 17, 14, 17, 17, 14],
  '9': [14, 17, 17, 15, 1, 1, 14],
}

const side = 512
const backgrounds = [
  [58, 90, 120],
  [126, 74, 60],
  [76, 110, 74],
  [120, 92, 134],
  [150, 112, 52],
  [64, 118, 122],
  [138, 70, 96],
  [84, 84, 96],
] as const

/**
 * Draws a PNG tile of 512 pixels with the initials of `title` and the picture's number, in a color that depends on the
 * item. The same input gives the same picture.
 */
export function drawPicture(itemId: string, number: number, title: string): Buffer {
  const hash = [...itemId].reduce((sum, digit) => (sum * 31 + digit.charCodeAt(0)) % 9_973, number * 7)
  const background = backgrounds[hash % backgrounds.length]!
  const rows = Array.from({ length: side }, () => new Uint8Array(1 + side / 8))
  const dot = (x: number, y: number) => {
    if (x >= 0 && y >= 0 && x < side && y < side) rows[y]![1 + (x >> 3)]! |= 0x80 >> (x & 7)
  }
  write(dot, initialsOf(title), 26, 150)
  write(dot, String(number), 8, 392)
  const palette = Buffer.from([...background, 244, 238, 226])
  const header = Buffer.alloc(13)
  header.writeUInt32BE(side, 0)
  header.writeUInt32BE(side, 4)
  // One bit per pixel, colors from the palette.
  header.set([1, 3, 0, 0, 0], 8)
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    chunk('IHDR', header),
    chunk('PLTE', palette),
    chunk('IDAT', deflateSync(Buffer.concat(rows))),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

/** Draws a word centered on the tile; each bit of a letter is `scale` pixels wide. */
function write(dot: (x: number, y: number) => void, word: string, scale: number, top: number): void {
  const left = Math.floor((side - (word.length * 6 - 1) * scale) / 2)
  for (const [place, letter] of [...word].entries()) {
    for (const [row, bits] of (glyphs[letter] ?? []).entries()) {
      for (let column = 0; column < 5; column++) {
        if ((bits & (16 >> column)) === 0) continue
        for (let pixel = 0; pixel < scale * scale; pixel++) {
          dot(left + (place * 6 + column) * scale + (pixel % scale), top + row * scale + Math.floor(pixel / scale))
        }
      }
    }
  }
}

/** Returns up to three initials in letters that can be drawn. */
function initialsOf(title: string): string {
  const plain = title
    .normalize('NFD')
    .toUpperCase()
    .replace(/[^A-Z0-9 ]/g, '')
  const initials = plain
    .split(' ')
    .map((word) => word.charAt(0))
    .join('')
    .slice(0, 3)
  return initials || 'X'
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const head = Buffer.alloc(4)
  head.writeUInt32BE(data.length)
  const tail = Buffer.alloc(4)
  tail.writeUInt32BE(crc32(body))
  return Buffer.concat([head, body, tail])
}
