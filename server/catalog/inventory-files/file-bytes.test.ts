import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { buildAccount, type TestAccount } from '#e2e/harness/account.ts'
import { apiOf } from '#e2e/harness/api.ts'
import { setTimes } from '#e2e/harness/database/set-times.ts'
import { startTestServer, type TestServer } from '#e2e/harness/server.ts'
import { usualTimes } from '#server/times.ts'

let server: TestServer
let seller: TestAccount
beforeAll(async () => {
  server = await startTestServer({ works: false })
})
afterAll(() => server?.close())
beforeEach(async () => {
  seller = await buildAccount(server.services.db)
})

async function upload(body: Buffer | string, headers: Record<string, string> = {}, query = '?currency=EUR') {
  const answer = await fetch(`${server.url}/api/v1/inventory/import/${query}`, {
    method: 'POST',
    headers: { ...seller.key, 'content-type': 'text/csv', ...headers },
    body: new Uint8Array(Buffer.from(body)),
  })
  return { status: answer.status, body: await answer.json() }
}

const items = async () =>
  (await apiOf(server.url)('GET', '/api/v1/inventory/', { headers: seller.key })).body.results.reverse()

/** Imports the file and returns the items. */
async function imported(body: Buffer | string, headers: Record<string, string> = {}) {
  const answer = await upload(body, headers)
  expect(answer).toMatchObject({ status: 200, body: { failed: 0 } })
  return items()
}

/** Returns the errors of each row of a file that was imported. */
async function errorsOf(csv: string) {
  const { status, body } = await upload(csv)
  expect(status).toBe(200)
  return body.results.map(({ errors }: { errors: object[] }) => errors)
}

/** Returns the detail and the codes of the refusal of a whole file. */
async function refusalOf(body: Buffer | string, headers: Record<string, string> = {}) {
  const answer = await upload(body, headers)
  const codes = (answer.body.errors ?? []).map(({ code }: { code: string }) => code)
  return { status: answer.status, detail: answer.body.detail, codes }
}

const picture = 'https://pictures.example/1.jpg'
const german = `Title;Price;Currency;Condition;Description;Images;SKU
Grüne Blümchenbluse Größe 38 – 70er;24,90;EUR;Gebraucht;Schöne Bluse, Länge 62 cm. Preis 24,90 €;${picture};BL-038
`
const french = `Title;Price;Currency;Condition;Description;Images;SKU
Théière en grès, œuvre d’été;24,90;EUR;Usagé;Où ? À Liège, ça va – très bon état;${picture};TH-1
`

/** Encodes a text by a table of the bytes of its special letters. */
const encode = (text: string, bytes: Record<string, number>) =>
  Buffer.from(Array.from(text, (letter) => bytes[letter] ?? letter.codePointAt(0)!))
const windows1252 = { '€': 0x80, '–': 0x96, '’': 0x92, œ: 0x9c }
const macRoman = {
  ...{ ü: 0x9f, ö: 0x9a, ä: 0x8a, ß: 0xa7, '€': 0xdb, '–': 0xd0, é: 0x8e, è: 0x8f, œ: 0xcf, '’': 0xd5 },
  ...{ ù: 0x9d, À: 0xcb, ç: 0x8d },
}
const utf16be = (text: string) => Buffer.from(text, 'utf16le').swap16()

describe('the encoding of a file', () => {
  it.each([
    ['UTF-8', Buffer.from(german), {}],
    ['UTF-8 with its mark', Buffer.from(`\uFEFF${german}`), {}],
    ['windows-1252', encode(german, windows1252), {}],
    ['declared windows-1252', encode(german, windows1252), { 'content-type': 'text/csv; charset=Windows-1252' }],
    ['declared latin1', encode(german, windows1252), { 'content-type': 'text/csv; charset="iso-8859-1"' }],
    ['UTF-16LE with its mark', Buffer.from(`\uFEFF${german}`, 'utf16le'), {}],
    ['UTF-16BE with its mark', utf16be(`\uFEFF${german}`), {}],
    ['UTF-16LE', Buffer.from(german, 'utf16le'), {}],
    ['UTF-16BE', utf16be(german), {}],
    ['declared UTF-16', Buffer.from(german, 'utf16le'), { 'content-type': 'text/csv; charset=utf-16' }],
    ['Mac Roman', encode(german, macRoman), {}],
  ])('keeps every letter of %s', async (_, bytes, headers) => {
    expect(await imported(bytes, headers as Record<string, string>)).toMatchObject([
      {
        description: 'Schöne Bluse, Länge 62 cm. Preis 24,90 €',
        record: { title: 'Grüne Blümchenbluse Größe 38 – 70er', offer: { price_minor: 2_490, currency: 'EUR' } },
      },
    ])
  })

  it.each([
    ['windows-1252', windows1252],
    ['Mac Roman', macRoman],
  ])('keeps every letter of French in %s', async (_, table) => {
    expect(await imported(encode(french, table))).toMatchObject([
      { description: 'Où ? À Liège, ça va – très bon état', record: { title: 'Théière en grès, œuvre d’été' } },
    ])
  })

  it.each([
    ['windows-1250', [0x4b, 0x75, 0x72, 0x74, 0x6b, 0x61, 0x20, 0x64, 0xb3, 0x75, 0x67, 0x61]],
    ['windows-1251', [0xca, 0xf3, 0xf0, 0xf2, 0xea, 0xe0]],
    ['Shift JIS', [0x83, 0x52, 0x81, 0x5b, 0x83, 0x67]],
    ['Czech', [...Buffer.from('ko'), 0x9e, 0x65, 0x9a, 0x69, 0x6e, 0x6f, 0x76, 0xe1]],
  ])('refuses undeclared %s rather than change its letters', async (_, bytes) => {
    const csv = Buffer.concat([Buffer.from('SKU,Title\nA-1,'), Buffer.from(bytes), Buffer.from('\n')])
    expect(await refusalOf(csv)).toMatchObject({
      status: 400,
      codes: ['unknown_encoding'],
      detail: expect.stringContaining('UTF-8'),
    })
  })

  it('reads another declared encoding', async () => {
    const csv = Buffer.concat([
      Buffer.from('SKU,Title,Price,Images\nA-1,'),
      Buffer.from([0xca, 0xf3, 0xf0, 0xf2, 0xea, 0xe0]),
      Buffer.from(`,5.00,${picture}\n`),
    ])
    expect(await imported(csv, { 'content-type': 'text/csv; charset=windows-1251' })).toMatchObject([
      { record: { title: 'Куртка' } },
    ])
  })

  it.each([
    ['unknown', 'text/csv; charset=klingon', 'unknown_charset'],
    ['wrong', 'text/csv; charset=utf-8', 'wrong_charset'],
  ])('refuses an %s charset in words', async (_, type, code) => {
    const refusal = await refusalOf(encode(german, windows1252), { 'content-type': type })
    expect(refusal).toMatchObject({ status: 400, codes: [code], detail: expect.stringContaining('Content-Type') })
  })

  it('never stores the mark of a lost letter', async () => {
    const errors = await errorsOf(`SKU,Title,Price,Images\nA-1,Gr\uFFFDn,5.00,${picture}\n`)
    expect(errors).toMatchObject([[{ field: 'title', code: 'lost_letters' }]])
    expect(await items()).toEqual([])
  })

  it.each(['gzip', 'deflate', 'br', 'zstd'])('refuses a body that is compressed with %s', async (encoding) => {
    const { status, body } = await upload(gzipSync(german), { 'content-encoding': encoding })
    expect([status, body.code]).toEqual([415, 'unsupported_media_type'])
    expect(body.detail).toContain('uncompressed')
    expect(body.title).not.toContain('json')
  })
})

describe('the delimiter and the heading', () => {
  const row = (delimiter: string) => ['L-1', 'Lamp', '39.00', 'Used', picture].join(delimiter)
  const heading = (delimiter: string) => ['SKU', 'Title', 'Price', 'Condition', 'Images'].join(delimiter)
  const file = (delimiter: string) => `${heading(delimiter)}\n${row(delimiter)}\n`

  it.each([
    ['commas', file(',')],
    ['semicolons', file(';')],
    ['tabs', file('\t')],
    ['bars', file('|')],
    ['sep=;', `sep=;\n${file(';')}`],
    ['a quoted sep=;', `\uFEFF"sep=;"\r\n${file(';')}`],
    ['a padded sep=,', `SEP=,,,,,\r\n${file(',')}`],
    ['sep= before another delimiter', `sep=;\n${file(';').replace('Lamp', 'Lamp, green, tall, old, with, commas')}`],
    ['remarks of eBay', `Info;Version=1.0.0;Template=a,b,c,d,e,f,g,h\n${file(';')}`],
    ['a padded remark', `Info,Version=1.0.0,,,\n${file(',')}`],
    ['comments', `# exported, today, by, some, program, yes\n#\n\n${file(';')}`],
    ['a title line', `My shop\n2026-11-26;;;;\n;;;;\n${file(';')}`],
    ['lines that end with CR only', file(';').replaceAll('\n', '\r')],
    ['a remark of bars', `#INFO|a|b|c|d|e|f\n${file('\t')}`],
  ])('are recognized with %s', async (_, csv) => {
    expect(await imported(csv)).toMatchObject([
      { sku: 'L-1', record: { title: expect.stringContaining('Lamp'), offer: { price_minor: 3_900 } } },
    ])
  })

  it('are recognized where texts have more commas than columns', async () => {
    const csv = `SKU;Title;Price;Images;Description\nA-1;Lamp;24,90;${picture};"One, two,\nthree, four; five, six, seven"\n`
    expect(await imported(csv)).toMatchObject([
      { description: 'One, two,\nthree, four; five, six, seven', record: { offer: { price_minor: 2_490 } } },
    ])
  })

  it("are recognized in eBay's German template", async () => {
    const csv = [
      '\uFEFFInfo;Version=1.0.0;Template=fx_category_template_EBAY_DE',
      '*Action(SiteID=Germany|Country=DE|Currency=EUR|Version=1193|CC=UTF-8);CustomLabel;*Title;*ConditionID;PicURL;*Description;*Format;*StartPrice;*Quantity',
      `Add;BU-77;Grünwald, Erstausgabe 1931;5000;${picture}|https://pictures.example/2.jpg;"<p>Leinen, Rücken &ndash; selten.</p>";FixedPrice;45,00;1`,
    ].join('\r\n')
    expect(await imported(csv)).toMatchObject([
      {
        description: 'Leinen, Rücken – selten.',
        record: {
          images: [picture, 'https://pictures.example/2.jpg'],
          offer: { price_minor: 4_500, currency: 'EUR' },
        },
      },
    ])
  })

  it('are refused where sep= names none that is known', async () => {
    expect(await refusalOf('sep=^\nSKU^Title\n')).toMatchObject({ status: 400, codes: ['unknown_delimiter'] })
  })
})

describe('rows of another length than the heading', () => {
  it.each([
    ['SKU,PRICE\nKAN-07,28,50\n', 3, 2],
    ['SKU,Title,Price,Condition,Brand\nKAN-07,Kettle, blue enamel,31.50,Used,Riess\n', 6, 5],
    ['SKU,Price,Brand\nKAN-07,28,50,\n', 4, 3],
    ['SKU;Title;Images\nKAN-07;Kettle; blue;https://a.example/1.jpg\n', 4, 3],
  ])('fail when they are longer', async (csv, cells, columns) => {
    const [[error, ...more]] = await errorsOf(csv)
    expect(more).toEqual([])
    expect(error).toMatchObject({ field: '', code: 'too_many_cells' })
    expect(error.message).toContain(`${cells} cells for ${columns} columns`)
    expect(await items()).toEqual([])
  })

  it('are imported when only empty cells are added or left out at the end', async () => {
    const csv = `SKU,Title,Price,Images,Brand,Size\nA-1,Lamp,5.00,${picture},Acme,M,,,\nA-2,Vase,6.00,${picture}\n`
    expect(await imported(csv)).toMatchObject([{ sku: 'A-1' }, { sku: 'A-2' }])
  })

  it('leave what they do not mention as it is', async () => {
    await imported(`SKU,Title,Price,Images,Brand\nA-1,Lamp,5.00,${picture},Acme\n`)
    expect((await imported('SKU,Title,Price,Brand\nA-1,Lamp,7.00\n'))[0]).toMatchObject({
      attributes: { brand: 'Acme' },
      record: { offer: { price_minor: 700 } },
    })
  })

  it('are one refusal when all rows of a file are longer', async () => {
    const csv = `SKU,PRICE\n${'A,28,50\n'.repeat(50)}`
    const { status, codes, detail } = await refusalOf(csv)
    expect([status, codes]).toEqual([400, ['too_many_cells']])
    expect(detail).toContain('3 cells for 2 columns')
  })
})

describe('a cell that a spreadsheet damaged', () => {
  const file = (cells: Record<string, string>, delimiter = ';') => {
    const all = { SKU: 'A-1', Title: 'Game', Price: '5.00', Images: picture, ...cells }
    const quoted = Object.values(all).map((cell) => `"${cell.replaceAll('"', '""')}"`)
    return `${Object.keys(all).join(delimiter)}\n${quoted.join(delimiter)}\n`
  }

  it.each([
    ['UPC', '8.85909E+11', 'attributes.upc', 'shortened_number'],
    ['EAN', '8,85909E+11', 'attributes.ean', 'shortened_number'],
    ['ISBN', '9.78E+12', 'attributes.isbn', 'shortened_number'],
    ['SKU', '1.23E+05', 'sku', 'shortened_number'],
    ['SKU', '5e+3', 'sku', 'shortened_number'],
    ['MPN', '1.5E-7', 'attributes.mpn', 'shortened_number'],
    ['UPC', '8.85909e11', 'attributes.upc', 'shortened_number'],
    ['EAN', '4006381333931.0', 'attributes.ean', 'shortened_number'],
    ['UPC', '########', 'attributes.upc', 'spreadsheet_error'],
    ['SKU', '#NAME?', 'sku', 'spreadsheet_error'],
    ['Title', '#REF!', 'title', 'spreadsheet_error'],
    ['Brand', '#N/A', 'attributes.brand', 'spreadsheet_error'],
    ['Price', '#WERT!', 'price', 'spreadsheet_error'],
    ['SKU', '12-Mar', 'sku', 'shortened_date'],
    ['SKU', 'Mar-12', 'sku', 'shortened_date'],
    ['SKU', '01.03.2026', 'sku', 'shortened_date'],
    ['ISBN', '2026-03-01 00:00:00', 'attributes.isbn', 'shortened_date'],
    ['SKU', '5'.repeat(501), 'sku', 'too_big'],
  ])('fails the row of a %s of %s', async (column, cell, field, code) => {
    expect(await errorsOf(file({ [column]: cell }))).toMatchObject([[{ field, code }]])
    expect(await items()).toEqual([])
  })

  it("fails the row in another program's file", async () => {
    const csv = `#INFO,Version=0.0.2,Template= eBay-draft-listings-template_US,,,,,,,,
Action(SiteID=US|Country=US|Currency=USD|Version=1193|CC=UTF-8),Custom label (SKU),Category ID,Title,UPC,Price,Quantity,Item photo URL,Condition ID,Description,Format
Draft,BG-2,233,Board game two,8.85909E+11,19.50,1,${picture},3000,Complete,FixedPrice
`
    expect(await errorsOf(csv)).toMatchObject([[{ field: 'attributes.upc', code: 'shortened_number' }]])
  })

  it.each([
    ['UPC', '="012345678905"', { upc: '012345678905' }],
    ['UPC', "'012345678905", { upc: '012345678905' }],
    ['MPN', '5E10', { mpn: '5E10' }],
    ['MPN', '12E5', { mpn: '12E5' }],
    ['Brand', "'47", { brand: "'47" }],
    ['Brand', '#1 Dad', { brand: '#1 Dad' }],
  ])('is told apart from a %s of %s', async (column, cell, attributes) => {
    expect(await imported(file({ [column]: cell }))).toMatchObject([{ attributes }])
  })

  it.each([
    ['="007"', '007'],
    ["'007", '007'],
    ['2026-03-01', '2026-03-01'],
    ['7E-2B', '7E-2B'],
  ])('leaves a SKU of %s as %s', async (cell, sku) => {
    expect(await imported(file({ SKU: cell }))).toMatchObject([{ sku }])
  })
})

describe('a description of another program', () => {
  const describe_ = (text: string) =>
    `SKU,Title,Price,Images,Description\nA-1,Kettle,5.00,${picture},"${text.replaceAll('"', '""')}"\n`

  it.each([
    [
      String.raw`<p>Enamel kettle, 1.5 l.</p>\n<ul><li>One chip at the lid</li><li>Comes &amp; goes</li></ul>`,
      'Enamel kettle, 1.5 l.\n\nOne chip at the lid\nComes & goes',
    ],
    [String.raw`Line one\nLine two\r\nLine three`, 'Line one\nLine two\nLine three'],
    [String.raw`Includes:\n- lid\n- box`, 'Includes:\n- lid\n- box'],
    ['<style>p{}</style>Blue<ul><li>One<li>Two</ul><script>alert(1)</script>End', 'Blue\nOne\nTwo\nEnd'],
    ['Tea &amp; cake &ndash; 5&nbsp;&euro;', 'Tea & cake – 5\u00a0€'],
    ['waist < 30 & > 28', 'waist < 30 & > 28'],
    [String.raw`Saved as C:\new`, String.raw`Saved as C:\new`],
  ])('becomes plain text: %s', async (text, plain) => {
    expect(await imported(describe_(text))).toMatchObject([{ description: plain }])
  })
})

describe('imports of one account', () => {
  it('run one at a time', async () => {
    const rows = Array.from({ length: 300 }, (_, n) => `S-${n},Lamp,5.00,${picture}\n`)
    const csv = `SKU,Title,Price,Images\n${rows.join('')}`
    await upload(csv)
    setTimes(server.services, { fileTurnMs: 300 })
    await server.services.db.tx(async (tx) => {
      await tx.any("select from inventory_item where user_id = $1 and sku = 'S-150' for update", [seller.user_id])
      const held = await fetch(`${server.url}/api/v1/inventory/import/`, {
        method: 'POST',
        headers: { ...seller.key, 'content-type': 'text/csv' },
        body: csv,
      })
      const refused = await upload(csv, {}, '?dry_run=true')
      expect([refused.status, refused.body.code]).toEqual([409, 'conflict'])
      expect(refused.body.detail).toContain('Another file')
      const other = await buildAccount(server.services.db)
      expect((await upload('SKU,Title\n', other.key)).status).toBe(200)
      await held.body!.cancel()
    })
    setTimes(server.services, usualTimes)
    expect((await upload(csv, {}, '?dry_run=true')).status).toBe(200)
  })
})
