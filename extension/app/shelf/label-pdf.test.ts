import { BinaryBitmap, HybridBinarizer, QRCodeReader, RGBLuminanceSource } from '@zxing/library'
import sharp from 'sharp'
import { getDocumentProxy, getResolvedPDFJS } from 'unpdf'
import { describe, expect, it } from 'vitest'
import type { Pen } from './canvas-pen.ts'
import { labelPdf } from './label-pdf.ts'
import { type LabelSizeName, labelCorner, labelSizes, labelsOnPage } from './label-sizes.ts'
import type { Label } from './lay-out-label.ts'

/** A pen whose letters are as wide as they are high, and whose pictures are black. */
const pen: Pen = {
  widthOf: (words) => [...words].length,
  draw: async () => {
    const picture = sharp({ create: { width: 8, height: 8, channels: 3, background: '#000' } })
    return new Uint8Array(await picture.png().toBuffer()).buffer
  },
}

const coat: Label = {
  address: 'https://hapax.example.com/app/#item/inv_0123456789abcdefghijkl',
  title: 'Vintage 1960s Burberrys single-breasted trench coat with a wool lining, men’s L, from the shop in Haymarket',
  lines: ['COAT-0417', '$214.99'],
}
const names = Object.keys(labelSizes) as LabelSizeName[]

interface Box {
  words?: string
  left: number
  right: number
  bottom: number
  top: number
}

/** Reads a PDF back with another library: the boxes of texts, pictures and codes of each page. */
async function readBack(pdf: Uint8Array) {
  const document = await getDocumentProxy(pdf)
  const { OPS } = await getResolvedPDFJS()
  return Promise.all(
    Array.from({ length: document.numPages }, async (_, index) => {
      const page = await document.getPage(index + 1)
      const texts = (await page.getTextContent()).items.flatMap((item): Box[] => {
        if (!('str' in item) || item.str.trim() === '') return []
        const [size, , , , left, y] = item.transform as [number, number, number, number, number, number]
        return [{ words: item.str, left, right: left + item.width, bottom: y - size * 0.22, top: y + size * 0.74 }]
      })
      const { fnArray, argsArray } = await page.getOperatorList()
      const pictures: Box[] = []
      const codes: (Box & { content: string })[] = []
      let [x, y, across, up] = [0, 0, 1, 1]
      for (const [at, operation] of fnArray.entries()) {
        const given = argsArray[at]
        if (operation === OPS.save) [x, y, across, up] = [0, 0, 1, 1]
        if (operation === OPS.transform) {
          x += across * given[4]
          y += up * given[5]
          across *= given[0]
          up *= given[3]
        }
        const boxOf = (width: number, height: number): Box => ({
          ...{ left: x, right: x + across * width },
          ...{ bottom: Math.min(y, y + up * height), top: Math.max(y, y + up * height) },
        })
        if (operation === OPS.paintImageXObject) pictures.push(boxOf(1, 1))
        if (operation === OPS.constructPath) {
          const [, [path], bounds] = given as [unknown, [Record<number, number>], Record<number, number>]
          codes.push({ ...boxOf(bounds[2]!, bounds[3]!), content: decode(Object.values(path)) })
        }
      }
      return { width: page.view[2]!, height: page.view[3]!, texts, pictures, codes }
    }),
  )
}

/** Paints the runs of a QR code and reads it. */
function decode(path: number[]): string {
  const runs = Array.from({ length: path.length / 13 }, (_, at) => path.slice(at * 13, at * 13 + 13))
  const modules = Math.max(...runs.map((run) => run[4]!)) + 2
  const scale = 6
  const side = modules * scale
  const luma = new Uint8ClampedArray(side * side).fill(255)
  for (const run of runs) {
    for (let y = run[2]! * scale; y < run[8]! * scale; y++) {
      luma.fill(0, y * side + run[1]! * scale, y * side + run[4]! * scale)
    }
  }
  return new QRCodeReader()
    .decode(new BinaryBitmap(new HybridBinarizer(new RGBLuminanceSource(luma, side, side))))
    .getText()
}

const make = async (labels: Label[], name: LabelSizeName, first = 0) =>
  readBack(await labelPdf(labels, labelSizes[name], { first, pen }))

/** Expects boxes to lie inside a label. */
function expectInside(boxes: Box[], name: LabelSizeName, index: number): void {
  const { width, height } = labelSizes[name]
  const { x, y } = labelCorner(labelSizes[name], index)
  for (const box of boxes) {
    expect(box.left).toBeGreaterThanOrEqual(x)
    expect(box.right).toBeLessThanOrEqual(x + width + 0.01)
    expect(box.top).toBeLessThanOrEqual(y)
    expect(box.bottom).toBeGreaterThanOrEqual(y - height)
  }
}

describe('labels', () => {
  it.each(names)('lie inside the paper of %s with a code that reads back', async (name) => {
    const [page] = await make([coat], name)
    expectInside([...page!.texts, ...page!.codes], name, 0)
    expect(page!.codes.map(({ content }) => content)).toEqual([coat.address])
    const words = page!.texts.map((text) => text.words)
    expect(words.slice(-2)).toEqual(coat.lines)
    expect(words[0]).toMatch(/^Vintage/)
    for (const text of page!.texts) expect(text.left).toBeGreaterThanOrEqual(page!.codes[0]!.left)
    if (name !== '4x6') for (const text of page!.texts) expect(text.left).toBeGreaterThanOrEqual(page!.codes[0]!.right)
  })

  it.each([
    ['62x29', 175.75, 82.2],
    ['57x32', 161.57, 90.71],
    ['2.25x1.25', 162, 90],
    ['4x6', 288, 432],
    ['5160', 612, 792],
    ['L7163', 595.28, 841.89],
  ] as const)('have the page size of %s', async (name, width, height) => {
    const [page] = await make([coat], name)
    expect([page!.width, page!.height]).toEqual([expect.closeTo(width, 1), expect.closeTo(height, 1)])
  })

  it('are a page each on a roll', async () => {
    expect(await make([coat, coat, coat], '62x29')).toHaveLength(3)
  })

  it.each([
    ['5160', 13.5, 756],
    ['5163', 11.25, 756],
    ['L7160', 20.44, 798.95],
    ['L7163', 13.15, 798.95],
  ] as const)('begin on %s where Avery does', (name, x, y) => {
    const corner = labelCorner(labelSizes[name], 0)
    expect([corner.x, corner.y]).toEqual([expect.closeTo(x, 0), expect.closeTo(y, 0)])
  })

  it('start at the first free label and go on on the next sheet', async () => {
    const pages = await make(Array(5).fill(coat), '5160', 27)
    expect(pages.map(({ codes }) => codes.length)).toEqual([3, 2])
    for (const [at, code] of pages[0]!.codes.entries()) expectInside([code], '5160', 27 + at)
    for (const [at, code] of pages[1]!.codes.entries()) expectInside([code], '5160', at)
    expect(labelsOnPage(labelSizes['5160'])).toBe(30)
  })

  it.each([
    ['Japanese', '古いウールのコート、とても良い状態で、サイズはＬです。ほとんど着ていません。'],
    ['Arabic', 'معطف صوفي عتيق من الستينيات'],
    ['an emoji', 'Coat 👩‍👩‍👧 🧥'],
    ['Polish', 'Zażółć gęślą jaźń'],
  ])('draw a title in %s as pictures inside the paper', async (_, title) => {
    for (const name of ['62x29', '5160'] as const) {
      const [page] = await make([{ ...coat, title }], name)
      expect(page!.pictures.length).toBeGreaterThan(0)
      expectInside([...page!.pictures, ...page!.texts], name, 0)
      expect(page!.texts.map((text) => text.words)).toEqual(expect.arrayContaining([...coat.lines]))
    }
  })

  it('cut what is too long, without an end', async () => {
    const endless = 'W'.repeat(1_000)
    for (const name of names) {
      const [page] = await make([{ ...coat, title: endless, lines: [endless, '$1,000,000.00'] }], name)
      expectInside(page!.texts, name, 0)
      expect(page!.texts.filter(({ words }) => words!.endsWith('…'))).toHaveLength(2)
    }
  })

  it('write the name of a place large', async () => {
    const heightOf = ({ top, bottom }: Box) => top - bottom
    const [place] = await make([{ address: coat.address, title: 'B-12', lines: [] }], '62x29')
    const [item] = await make([coat], '62x29')
    expectInside(place!.texts, '62x29', 0)
    expect(heightOf(place!.texts[0]!)).toBeGreaterThan(2 * heightOf(item!.texts[0]!))
  })

  it('take a title of nothing but spaces', async () => {
    const [page] = await make([{ ...coat, title: '  ', lines: [] }], '62x29')
    expect([page!.texts, page!.codes.length]).toEqual([[], 1])
  })
})
