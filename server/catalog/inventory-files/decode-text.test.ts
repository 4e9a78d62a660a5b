import { describe, expect, it } from 'vitest'
import { decodeText } from './decode-text.ts'

/** Returns the bytes of a text in an encoding of one byte a letter. */
function encode(text: string, encoding: string): Uint8Array {
  const letters = new Map<string, number>()
  for (let byte = 0; byte < 256; byte++) letters.set(new TextDecoder(encoding).decode(Uint8Array.of(byte)), byte)
  return Uint8Array.from(text, (letter) => letters.get(letter) ?? Number.NaN)
}

const decoded = (text: string, encoding: string) => decodeText(encode(text, encoding), null)
const code = (run: () => unknown) => {
  try {
    return run()
  } catch (error) {
    return (error as { errors: { code: string }[] }).errors[0]!.code
  }
}

/** Titles and descriptions as sellers write them. */
const westernTexts = [
  'Grüne Blümchenbluse Größe 38 – 70er, 24,90 €',
  'ÜBERGRÖßE MÄNTEL „neu“ – 20 °C, 3 m² Stoff',
  'Théière en grès, œuvre d’été, où ? À Liège, ça va',
  'Robe d’été à pois, taille 38 – état très bon – 1970’s',
  'CHEMISIER À CARREAUX ÉCRU, ÉTAT NEUF',
  'Camisa de niño, ¿qué talla? ¡Única! año 1970, 15 €, nº 3',
  'Camicia già usata, è in perfette condizioni. Più foto, così',
  'Coração e mãe: põe açúcar, irmã, porções, 12 €',
  'Grøn kjole, æbler på bord, str. 38, hånd­lavet',
  'Svärd från Göteborg, åtta år, blå',
  'Coöperatie: één jas, reünie, ideeën',
  'Col·lecció d’història, caça, raó, això',
  'Škoda Modell, Käfer grün, schöner Zustand',
  '½ price, ¼ inch, 5×7 photo, Levi’s® 501™, naïve café',
  'Pokémon card, Beyoncé tour, 90’s',
  '“Quoted” – it’s £5…',
]

describe('a text without a mark', () => {
  it.each(westernTexts)('keeps its letters in windows-1252: %s', (text) => {
    expect(decoded(text, 'windows-1252')).toBe(text)
  })

  it.each(westernTexts.filter((text) => !/[½¼²×Š­]/.test(text)))('keeps its letters in Mac Roman: %s', (text) => {
    expect(decoded(text, 'macintosh')).toBe(text)
  })

  it.each([
    ['windows-1250', 'Sukienka długa, różowa, ładna'],
    ['windows-1250', 'Kożuch męski, rozmiar XL, używany'],
    ['windows-1250', 'Spódniczka w kratę, bawełna'],
    ['windows-1250', 'Kožešinová bunda, krátká, černá'],
    ['windows-1250', 'Pěkné šaty, dlouhé, výborný stav'],
    ['windows-1250', 'Női ruha, hosszú, fekete, nagyon jó állapot, őszi'],
    ['windows-1250', 'Rochie lungă, neagră, mărimea 38, piele naturală, frumoasă şi ieftină'],
    ['iso-8859-2', 'Sukienka długa, różowa, śliczna'],
    ['windows-1251', 'Куртка кожаная, чёрная'],
    ['koi8-r', 'Куртка кожаная'],
    ['ibm866', 'Куртка кожаная'],
    ['windows-1253', 'Φόρεμα μακρύ, μαύρο'],
    ['windows-1254', 'Kırmızı elbise, çok güzel, ağır kumaş, şık'],
    ['windows-1255', 'שמלה ארוכה'],
    ['windows-1256', 'فستان طويل'],
    ['windows-1257', 'Suknelė ilga, žalia, gražiai pasiūta, šilta'],
    ['iso-8859-15', 'Preis 24,90 €, Größe 38'],
  ])('is refused in %s: %s', (encoding, text) => {
    expect(code(() => decoded(text, encoding))).toBe('unknown_encoding')
  })

  it.each([
    ['cp437', [0x47, 0x72, 0x94, 0xe1, 0x65]],
    ['Shift JIS', [0x83, 0x52, 0x81, 0x5b, 0x83, 0x67]],
    ['GBK', [0xc1, 0xac, 0xd2, 0xc2, 0xc8, 0xb9]],
    ['ISO-2022-JP', [0x1b, 0x24, 0x42, 0x25, 0x33, 0x1b, 0x28, 0x42]],
    ['UTF-16 that is cut off', [0x53, 0x00, 0x4b, 0x00, 0x55]],
  ])('is refused in %s', (_, bytes) => {
    expect(code(() => decodeText(Uint8Array.from(bytes), null))).toMatch(/^(?:unknown_encoding|not_text)$/)
  })

  it.each([
    ['zero bytes', [0x74, 0x69, 0x0a, 0x00, 0x0a], 'not_text'],
    ['UTF-32', [0xff, 0xfe, 0x00, 0x00, 0x53, 0x00, 0x00, 0x00], 'not_text'],
    ['a workbook', [0x50, 0x4b, 0x03, 0x04, 0x14, 0x00], 'excel_workbook'],
    ['an old workbook', [0xd0, 0xcf, 0x11, 0xe0], 'excel_workbook'],
  ])('is refused with %s', (_, bytes, expected) => {
    expect(code(() => decodeText(Uint8Array.from(bytes), null))).toBe(expected)
  })

  it('loses the end mark of DOS', () => {
    expect(decodeText(Buffer.from('sku\r\nA\r\n\x1a'), null)).toBe('sku\r\nA\r\n')
  })
})

it('believes a byte order mark more than the declared charset', () => {
  expect(decodeText(Buffer.from('\uFEFFGröße', 'utf16le'), 'utf-8')).toBe('Größe')
  expect(decodeText(Buffer.from('\uFEFFGröße'), 'windows-1252')).toBe('Größe')
})

it('takes linear time for letters of every kind', () => {
  for (const byte of [0xe9, 0xb3, 0x8a, 0xa4, 0x92, 0xd5]) {
    const before = process.threadCpuUsage()
    code(() => decodeText(Buffer.alloc(3_000_000, Uint8Array.of(0x61, byte, 0x20)), null))
    // Processor time, to which other processes add nothing.
    expect(process.threadCpuUsage(before).user / 1_000).toBeLessThan(5_000)
  }
})

describe('a file of another kind', () => {
  /** Lists a file in a ZIP file, as its central directory does. */
  const zip = (name: string) => `PK\x03\x04..${name}...PK\x01\x02..${name}`
  // First bytes as the formats' specifications and file(1) have them.
  it.each([
    [zip('EtsyListingsDownload.csv'), 'zip_archive'],
    [zip('[Content_Types].xml'), 'excel_workbook'],
    [zip('mimetypeapplication/vnd.oasis.opendocument.spreadsheet'), 'open_document'],
    [zip('Index/Document.iwa'), 'numbers_document'],
    ['\x1f\x8b\x08\x00\x00', 'compressed'],
    ['%PDF-1.7\n%\xe2\xe3\xcf\xd3', 'pdf_document'],
    ['\x89PNG\r\n\x1a\n', 'picture'],
    ['\xff\xd8\xff\xe0', 'picture'],
    ['[{"sku": "A", "title": "Tin box"}]', 'json_file'],
    ['{"items": []}', 'json_file'],
    ['<!DOCTYPE html><html><p>Sign in</p></html>', 'web_page'],
    ['\n<table><tr><td>sku</td></tr></table>', 'web_page'],
    ['<?xml version="1.0"?>\n<?mso-application progid="Excel.Sheet"?>\n<Workbook></Workbook>', 'excel_workbook'],
    ['<?xml version="1.0"?><products></products>', 'xml_file'],
  ])('is refused by its beginning %j as %s', (start, expected) => {
    expect(code(() => decodeText(Buffer.from(start, 'latin1'), null))).toBe(expected)
  })

  it('is not a sheet that begins with a bracket', () => {
    expect(decodeText(Buffer.from('[sku],title\nA,Lamp\n'), null)).toContain('[sku]')
  })
})
