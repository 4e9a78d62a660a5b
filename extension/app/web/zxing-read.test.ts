import sharp from 'sharp'
import { expect, it } from 'vitest'
import { codePath } from '../shelf/code-path.ts'
import { zxingRead } from './zxing-read.ts'

/** Paints a drawing on a gray table, turned as a phone is held. */
async function photo(svg: string, angle: number) {
  const label = await sharp(Buffer.from(svg)).png().toBuffer()
  const turned = await sharp(label).rotate(angle, { background: '#888' }).png().toBuffer()
  const table = sharp({ create: { width: 960, height: 540, channels: 3, background: '#888' } })
  const { data, info } = await table
    .composite([{ input: turned }])
    .blur(0.8)
    .ensureAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true })
  return { data: new Uint8ClampedArray(data), width: info.width, height: info.height }
}

it.each([0, 12, 90])('reads the QR code of a label that is turned by %i degrees', async (angle) => {
  const address = 'https://hapax.example.com/app/#item/inv_0123456789abcdefghijkl'
  const { path, modules } = codePath(address)
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="260" height="260" viewBox="0 0 ${modules} ${modules}"><rect width="100%" height="100%" fill="#fff"/><path d="${path}"/></svg>`
  expect(zxingRead(await photo(svg, angle))).toBe(address)
})

/** The bars of EAN-13: left odd, left even and right digits are made of these widths. */
const widths = ['3211', '2221', '2122', '1411', '1132', '1231', '1114', '1312', '1213', '3112']
const parities = ['OOOOOO', 'OOEOEE', 'OOEEOE', 'OOEEEO', 'OEOOEE', 'OEEOOE', 'OEEEOO', 'OEOEOE', 'OEOEEO', 'OEEOEO']

function ean13(code: string): string {
  const parity = parities[Number(code[0])]!
  const digit = (at: number) => widths[Number(code[at])]!
  const reverse = (text: string) => [...text].reverse().join('')
  const left = [...parity].map((one, at) => (one === 'O' ? digit(at + 1) : reverse(digit(at + 1))))
  const right = [7, 8, 9, 10, 11, 12].map(digit)
  const runs = ['111', ...left, '11111', ...right, '111'].join('')
  let x = 12
  const bars = [...runs].map((run, at) => {
    const bar = at % 2 === 0 ? `<rect x="${x}" y="8" width="${run}" height="60"/>` : ''
    x += Number(run)
    return bar
  })
  return `<svg xmlns="http://www.w3.org/2000/svg" width="480" height="300" viewBox="0 0 119 76"><rect width="100%" height="100%" fill="#fff"/>${bars.join('')}</svg>`
}

it.each(['9780306406157', '4006381333931'])('reads the barcode %s of a product', async (code) => {
  expect(zxingRead(await photo(ean13(code), 0))).toBe(code)
})

it('finds nothing on an empty table', async () => {
  expect(zxingRead(await photo('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>', 0))).toBeNull()
})
