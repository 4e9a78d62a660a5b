// Written from ISO/IEC 14496-12 and 23008-12.

/** A box: length, type and content. */
function box(type: string, ...content: (Buffer | number[])[]): Buffer {
  const body = Buffer.concat(content.map((part) => Buffer.from(part)))
  const head = Buffer.alloc(8)
  head.writeUInt32BE(body.length + 8)
  head.write(type, 4, 'latin1')
  return Buffer.concat([head, body])
}

const u16 = (...values: number[]) => values.flatMap((value) => [value >> 8, value & 255])
const u32 = (...values: number[]) => values.flatMap((value) => u16(value >>> 16, value & 0xffff))
const noFlags = [0, 0, 0, 0]

/** The units of an Annex B stream. None ends with a zero; a start code has one or more before it. */
function unitsOf(stream: Buffer): Buffer[] {
  const start = Buffer.from([0, 0, 1])
  const starts: number[] = []
  for (let at = stream.indexOf(start); at >= 0; at = stream.indexOf(start, at + 3)) starts.push(at)
  return starts.map((at, index) => {
    let end = starts[index + 1] ?? stream.length
    while (stream[end - 1] === 0) end--
    return stream.subarray(at + 3, end)
  })
}

/** An HEVC picture of 512 x 512 of our own pixels, by `x265 --profile mainstillpicture --qp 48`. */
const ownTile = Buffer.from(
  [
    'AAAAAUABDAH//wNwAAADAJAAAAMAAAMAWroCQAAAAAFCAQEDcAAAAwCQAAADAAADAFqgBAIAgFlupJMLgEAAAPoAAAMA+gIAAAABRAHBcYESAA',
    'ABKAGsE2C5R7/NOdSUT6shNAJCK6QAxKG5jikNGP0YOdBpeXermuJ2iMA+kmcUXUWK2WWA2jEpgikVYE8y15nKoNt8DpBuFxi4wBNz4p8UOZDq',
    'Bt2rPqiqsawz8vbKBFr+ZIkZdhAxkaGeoYUIwqnYjIPB5XsOHQmCKHeP62z5ckI8ek9IXJSs45Oe5b2V5oPk9WWeX7p0+YMWajiRgAJ+p14h8y',
    'seVII4r/bULOs7+Zt4O6jrTs4WDUA37KGATDg1c9sZ3mTg',
  ].join(''),
  'base64',
)

export interface Grid {
  /** An HEVC stream of one picture (Annex B). */
  tile?: Buffer
  /** Of the tile, as the file says. */
  side?: number
  columns: number
  rows: number
  /** Of the whole, as the file says. */
  width?: number
  height?: number
}

/**
 * Makes a photo like those of iPhones (6.6.2.3): a grid of HEVC tiles. Each tile is the same one, so
 * that a small file has many pixels.
 */
export function heicGrid({ tile = ownTile, side = 512, columns, rows, ...whole }: Grid): Buffer {
  const count = columns * rows
  const { width = columns * side, height = rows * side } = whole
  const units = unitsOf(tile)
  const typeOf = (unit: Buffer) => (unit[0]! >> 1) & 63
  const sets = [32, 33, 34].map((type) => units.find((unit) => typeOf(unit) === type)!)
  const slices = units.filter((unit) => typeOf(unit) < 32)
  const data = Buffer.concat(slices.flatMap((unit) => [Buffer.from(u32(unit.length)), unit]))
  const grid = Buffer.from([0, 1, rows - 1, columns - 1, ...u32(width, height)])
  const hvcC = box(
    'hvcC',
    [1, 3, 0x70, 0, 0, 0, 0, 0, 0, 0, 0, 0, 30, 0xf0, 0, 0xfc, 0xfd, 0xf8, 0xf8, 0, 0, 0x0f, sets.length],
    ...sets.flatMap((set) => [Buffer.from([0x80 | typeOf(set), ...u16(1, set.length)]), set]),
  )
  const entry = (id: number, type: string) => box('infe', [2, 0, 0, 0], u16(id, 0), Buffer.from(`${type}\0`))
  const ids = Array.from({ length: count }, (_, index) => index + 1)
  const gridId = count + 1
  const extent = (id: number, at: number, length: number) => [...u16(id, 0, 1), ...u32(at, length)]
  const meta = (at: number) =>
    box(
      'meta',
      noFlags,
      box('hdlr', noFlags, u32(0), Buffer.from('pict'), Buffer.alloc(13)),
      box('pitm', noFlags, u16(gridId)),
      box('iinf', noFlags, u16(count + 1), ...ids.map((id) => entry(id, 'hvc1')), entry(gridId, 'grid')),
      box('iref', noFlags, box('dimg', u16(gridId, count, ...ids))),
      box(
        'iprp',
        box('ipco', hvcC, box('ispe', noFlags, u32(side, side)), box('ispe', noFlags, u32(width, height))),
        box('ipma', noFlags, u32(count + 1), ...ids.map((id) => [...u16(id), 2, 0x81, 2]), [...u16(gridId), 1, 3]),
      ),
      box(
        'iloc',
        noFlags,
        [0x44, 0],
        u16(count + 1),
        ...ids.map((id) => extent(id, at + grid.length, data.length)),
        extent(gridId, at, grid.length),
      ),
    )
  const head = box('ftyp', Buffer.from('heic\0\0\0\0mif1heic'))
  const dataAt = head.length + meta(0).length + 8
  return Buffer.concat([head, meta(dataAt), box('mdat', grid, data)])
}
