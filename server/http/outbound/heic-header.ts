/** A box of ISO/IEC 14496-12, without its head. */
interface Box {
  type: string
  body: Buffer
}

/** Boxes in one place, and items, of a file. Photos of iPhones with 48 million pixels have some 250 items. */
const maxBoxes = 1_000
/** Items made of items made of items: a photo with brightness of its own is made of two grids of tiles. */
const maxDepth = 4

/** Throws a RangeError if a box does not fit. */
function boxesIn(bytes: Buffer): Box[] {
  const boxes: Box[] = []
  for (let at = 0; at < bytes.length; ) {
    const short = bytes.readUInt32BE(at)
    const isLong = short === 1
    const length = isLong ? Number(bytes.readBigUInt64BE(at + 8)) : short === 0 ? bytes.length - at : short
    const head = isLong ? 16 : 8
    if (length < head || at + length > bytes.length || boxes.length === maxBoxes) throw new RangeError('not a box')
    boxes.push({ type: bytes.toString('latin1', at + 4, at + 8), body: bytes.subarray(at + head, at + length) })
    at += length
  }
  return boxes
}

function theOnly(boxes: Box[], type: string): Buffer {
  const found = boxes.filter((box) => box.type === type)
  if (found.length !== 1) throw new RangeError(`the file has ${found.length} boxes ${type}`)
  return found[0]!.body
}

/** Reads numbers one after the other. */
function reader(bytes: Buffer, start: number) {
  let at = start
  return (size: number) => {
    at += size
    return bytes.readUIntBE(at - size, size)
  }
}

/** Returns the areas that the properties of each item name (`ipma`, `ispe`). */
function areasOf(properties: Buffer): Map<number, number> {
  const boxes = boxesIn(properties)
  const sizes = boxesIn(theOnly(boxes, 'ipco')).map(({ type, body }) =>
    type === 'ispe' ? body.readUInt32BE(4) * body.readUInt32BE(8) : 0,
  )
  const areas = new Map<number, number>()
  for (const { body } of boxes.filter(({ type }) => type === 'ipma')) {
    const next = reader(body, 4)
    const isWide = (body[3]! & 1) === 1
    for (let left = next(4); left > 0; left--) {
      const item = next(body[0] === 0 ? 2 : 4)
      for (let properties = next(1); properties > 0; properties--) {
        const index = isWide ? next(2) & 0x7fff : next(1) & 0x7f
        areas.set(item, Math.max(areas.get(item) ?? 0, sizes[index - 1] ?? 0))
      }
    }
  }
  return areas
}

/** Returns the items of which each derived item is made (`dimg`), each as often as it is used. */
function partsOf(references: Buffer): Map<number, number[]> {
  const idSize = references[0] === 0 ? 2 : 4
  const parts = new Map<number, number[]>()
  for (const { type, body } of boxesIn(references.subarray(4))) {
    if (type !== 'dimg') continue
    const next = reader(body, 0)
    const item = next(idSize)
    const used = Array.from({ length: next(2) }, () => next(idSize))
    parts.set(item, [...(parts.get(item) ?? []), ...used])
  }
  return parts
}

/**
 * Returns the pixels of a HEIC file's main picture from its header: those of its tiles, each as often as it is used, or its
 * own if they are more. A picture beside it (transparency, brightness) may have twice as many. The decoder refuses a tile
 * that has more than its header says. Throws a RangeError for a header that is not strictly built.
 */
export function heicPixels(file: Buffer): number {
  const meta = boxesIn(theOnly(boxesIn(file), 'meta').subarray(4))
  const areas = areasOf(theOnly(meta, 'iprp'))
  const references = meta.some(({ type }) => type === 'iref') ? theOnly(meta, 'iref') : null
  const parts = references ? partsOf(references) : new Map<number, number[]>()
  const known = new Map<number, number>()
  const pixelsOf = (item: number, depth = 0): number => {
    if (depth > maxDepth) throw new RangeError('the pictures of the file are nested')
    const before = known.get(item)
    if (before !== undefined) return before
    const sum = (parts.get(item) ?? []).reduce((total, part) => total + pixelsOf(part, depth + 1), 0)
    const pixels = Math.max(areas.get(item) ?? 0, sum)
    known.set(item, pixels)
    return pixels
  }
  const main = theOnly(meta, 'pitm')
  const others = [...areas.keys()].map((item) => pixelsOf(item) / 2)
  return Math.max(pixelsOf(reader(main, 4)(main[0] === 0 ? 2 : 4)), ...others)
}
