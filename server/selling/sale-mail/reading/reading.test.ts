import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { type Hint, hintLine } from './hint.ts'
import { marketplaceOf, unconnectedOf } from './marketplaces.ts'
import { MalformedMailError, maxReadBytes, parseMail } from './parse-mail.ts'
import { foldTitle, linesOfHtml, normalizeText, priceOf } from './words.ts'

const fixture = (name: string) => readFileSync(new URL(`./fixtures/${name}.eml`, import.meta.url))

/** Returns the reading of a mail, with changes to its text first. */
async function read(name: string, change: (text: string) => string = (text) => text): Promise<Hint> {
  const mail = await parseMail(Buffer.from(change(fixture(name).toString())))
  return marketplaceOf(mail.from[0]!)!.read(mail)
}

const subjectOf = (subject: string) => (text: string) =>
  text.replace(/^Subject:.*(?:\n[ \t].*)*/m, `Subject: ${subject}`)

const coat = hintLine({
  title: 'Wool Peacoat Navy Vintage 70s',
  size: 'M',
  sku: 'COAT-0042',
  price_minor: 6_400,
  currency: 'USD',
})
const coatSale = {
  kind: 'sale',
  order_id: '6ab7cb1fff8a471e6bfa36ed',
  title: coat.title,
  price_minor: 6_400,
  currency: 'USD',
  lines: [coat],
}

describe('the reading of a sale mail', () => {
  it.each([
    ['poshmark-sale', coatSale],
    [
      'poshmark-sale-bundle',
      {
        kind: 'sale',
        order_id: '6aafc5d18fa3339dfdab5614',
        title: 'Bundle of Silk Scarf Floral and 1 more item',
        price_minor: 2_500,
        currency: 'USD',
        lines: [
          hintLine({ title: 'Silk Scarf Floral 60s', size: 'OS', price_minor: 1_200, currency: 'USD' }),
          hintLine({ title: 'Leather Belt Brown', size: '32', price_minor: 1_800, currency: 'USD' }),
        ],
      },
    ],
    [
      'poshmark-cancelled',
      { kind: 'cancellation', order_id: '6ab7cb1fff8a471e6bfa36ed', title: 'Wool Peacoat Navy Vintage 70s' },
    ],
    [
      'mercari-sale',
      {
        kind: 'sale',
        order_id: null,
        title: 'Film Camera Compact 35mm',
        price_minor: 12_000,
        currency: 'USD',
        lines: [
          hintLine({
            listing_id: 'm10000000001',
            title: 'Film Camera Compact 35mm',
            price_minor: 12_000,
            currency: 'USD',
          }),
        ],
      },
    ],
    ['mercari-cancelled', { kind: 'cancellation', order_id: null, title: 'Film Camera Compact 35mm' }],
    [
      'depop-sale',
      {
        kind: 'sale',
        order_id: null,
        title: 'Striped knit sweater in blue and cream, soft',
        price_minor: 3_000,
        currency: 'USD',
        lines: [
          hintLine({
            title: 'Striped knit sweater in blue and cream, soft',
            isCut: true,
            size: 'S',
            price_minor: 3_000,
            currency: 'USD',
          }),
        ],
      },
    ],
    [
      'ebay-sale',
      {
        kind: 'sale',
        order_id: '15-14394-04605',
        title: 'First Edition Signed Novel 1971',
        price_minor: 8_500,
        currency: 'USD',
        lines: [expect.anything()],
      },
    ],
    [
      'etsy-sale',
      {
        kind: 'sale',
        order_id: '4059000000',
        title: 'Enamel Brooch Butterfly 1960s',
        price_minor: 3_200,
        currency: 'USD',
        lines: [expect.anything()],
      },
    ],
  ])('of %s names what was sold', async (name, hint) => expect(await read(name)).toEqual(hint))

  it.each([
    'depop-delivered',
    'trap-depop-own-purchase',
    'trap-mercari-cancel-request',
    'trap-poshmark-liked-listing-sold',
    'trap-poshmark-offer',
    'trap-poshmark-shipped',
  ])('of %s is no sale', async (name) => expect(await read(name)).toEqual({ kind: 'other' }))

  it.each(['text/plain', 'text/html'])('needs only one of the parts, such as %s', async (kept) => {
    for (const [name, reading] of [
      ['poshmark-sale', coatSale],
      ['mercari-sale', expect.objectContaining({ lines: [expect.objectContaining({ listing_id: 'm10000000001' })] })],
      ['depop-sale', expect.objectContaining({ lines: [expect.objectContaining({ size: 'S', price_minor: 3_000 })] })],
    ] as const) {
      const other = kept === 'text/plain' ? 'text/html' : 'text/plain'
      expect(
        await read(name, (text) => text.replace(`Content-Type: ${other}`, 'Content-Type: application/pdf')),
      ).toEqual(reading)
    }
  })

  it('passes over curly quotes and marks of direction', async () => {
    const subject = `Congrats! =?utf-8?B?${Buffer.from('\u202A“Wool Peacoat\u200F Navy Vintage 70s”\u202C').toString('base64')}?= just sold to guest Posher on Poshmark!`
    expect(await read('poshmark-sale', subjectOf(subject))).toEqual(coatSale)
    expect(
      await read('mercari-sale', subjectOf('=?utf-8?Q?You=E2=80=99ve_made_a_sale:_Film_Camera_Compact_35mm?=')),
    ).toMatchObject({
      title: 'Film Camera Compact 35mm',
    })
  })

  it('keeps a title whole that quotes the subject', async () => {
    const title = 'Coat" just sold to @somebody on Poshmark! "rare'
    expect(await read('poshmark-sale', subjectOf(`"${title}" just sold to @buyer_one on Poshmark!`))).toMatchObject({
      title,
    })
    expect(
      await read('trap-poshmark-offer', subjectOf(`You have an offer on "${title}" just sold to @b on Poshmark!`)),
    ).toEqual({
      kind: 'other',
    })
  })

  it.each([
    ['poshmark-sale', 'Re: "Wool Peacoat" just sold to @buyer_one on Poshmark!'],
    ['poshmark-sale', '"Wool Peacoat" just sold to @buyer_one on Poshmark! Claim it'],
    ['mercari-sale', "You've made a sale"],
    ['depop-sale', 'Fwd: Your USPS shipping label and sale confirmation for @buyer_three.'],
    ['etsy-sale', 'You made a sale on Etsy - Ship by Oct 9'],
  ])('of %s is unclear under another subject', async (name, subject) => {
    expect(await read(name, subjectOf(subject))).toEqual({ kind: 'unclear', of: 'sale' })
  })

  it('names the lines of a bundle that its body leaves out', async () => {
    const reading = await read('poshmark-sale-bundle', (text) =>
      text
        .replace('sold 2 items', 'sold 4 items')
        .replace('Bundle of Silk Scarf Floral and 1 more item', 'Your bundle'),
    )
    expect(reading).toMatchObject({ lines: [{}, {}, { title: null }, { title: null }] })
    const older = await read('poshmark-sale-bundle', subjectOf('Your bundle just sold to @buyer_two on Poshmark!'))
    expect(older).toMatchObject({ lines: [{ title: 'Silk Scarf Floral 60s' }, { title: 'Leather Belt Brown' }] })
  })

  it.each([
    'Your sale confirmation for @buyer_three.',
    'Your Royal Mail shipping label and sale confirmation for @buyer.three',
  ])('knows other carriers: %s', async (subject) => {
    expect(await read('depop-sale', subjectOf(subject))).toMatchObject({ kind: 'sale' })
  })

  it.each([
    ['vinted-sale', 'vinted', 'sale'],
    ['vinted-label', 'vinted', 'other'],
    ['whatnot-sale', 'whatnot', 'sale'],
    ['trap-whatnot-cancel-request', 'whatnot', 'other'],
    ['facebook-order', 'facebook', 'sale'],
    ['grailed-sale', 'grailed', 'sale'],
  ])('of %s recognizes a marketplace that is not connected', async (name, slug, kind) => {
    const mail = await parseMail(fixture(name))
    expect(unconnectedOf(mail.from[0]!, mail.subject)).toMatchObject({ slug, kind })
  })
})

describe('the cost of a mail', () => {
  const head = 'From: Poshmark <orders@poshmark.com>\r\nTo: wilma@example.com\r\nSubject: x\r\nMIME-Version: 1.0\r\n'
  const part = '--b\r\nContent-Type: text/plain; charset="utf-9"\r\n\r\nhello\r\n'

  it.each([
    ['with 1,000 parts', `${head}Content-Type: multipart/mixed; boundary=b\r\n\r\n${part.repeat(1_000)}--b--\r\n`],
    ['of more than the largest size', `${head}\r\n${'x'.repeat(maxReadBytes)}`],
    ['with a header without end', `${head}X: ${'x'.repeat(70_000)}\r\n\r\nhello`],
    ['with a signature a line', `${head}${'DKIM-Signature: v=1; a=rsa-sha256\r\n'.repeat(11)}\r\nhello`],
  ])('%s is not spent', async (_, mail) => {
    await expect(parseMail(Buffer.from(mail))).rejects.toThrow(MalformedMailError)
  })

  it('is small for a broken charset, an open tag and no header', async () => {
    expect(
      await parseMail(Buffer.from(`${head}Content-Type: multipart/mixed; boundary=b\r\n\r\n${part}`)),
    ).toMatchObject({
      bodies: [['hello']],
    })
    const open = await parseMail(Buffer.from(`${head}Content-Type: text/html\r\n\r\n${'<div '.repeat(30_000)}`))
    expect(open.from).toEqual(['orders@poshmark.com'])
    expect(await parseMail(Buffer.from(''))).toMatchObject({ from: [], bodies: [] })
  })
})

describe('the words of a mail', () => {
  it('become one form', () => {
    expect(normalizeText(' \u201CA\u00A0 b\u201D\u2026 it\u2019s\u200B ')).toBe('"A b"... it\'s')
    expect(foldTitle('Café \u202Emm3')).toBe(foldTitle('cafe\u0301 mm3'))
    expect(linesOfHtml('<table><tr><td>Size:</td><td>S</td></tr></table>')).toEqual(['Size:', 'S'])
  })

  it('give prices in minor units', () => {
    expect(priceOf('$1,234.50')).toEqual({ price_minor: 123_450, currency: 'USD' })
    expect(priceOf('£7')).toEqual({ price_minor: 700, currency: 'GBP' })
    expect(['-$12.00', '12.00', '$', '$1.2.3', 'S$5'].map(priceOf)).toEqual([null, null, null, null, null])
  })
})
