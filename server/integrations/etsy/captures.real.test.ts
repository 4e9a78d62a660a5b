import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { parseAnswer } from './client.ts'
import { errorOfAnswer } from './errors.ts'
import { readReceipt } from './orders/read-receipt.ts'
import { ReceiptsAnswer } from './orders/receipt-wire.ts'
import { normalizeListing } from './read/normalize.ts'
import { ListingsAnswer, TokenAnswer } from './wire.ts'

/*
 * Recorded answers of Etsy, read by the product's own code.
 *
 * | capture                                    | listings | read correctly, and missing from the capture  |
 * |--------------------------------------------|----------|-----------------------------------------------|
 * | findAllListingsActive, trimmed (2026-09)   | 0 of 2   | failures naming images, which that call never has; with images and quantity added: title, description, price, URL, time |
 * | getListing, draft, subset (2026-09)        | 0 of 1   | a failure naming price, which the transcription omits; id and title |
 * | getListing with images, subset (2026-09)   | 0 of 1   | the same; its images have no address |
 * | getListingsByListingIds, subset (2026-09)  | 0 of 2   | the same, for each of the two |
 * | getListingInventory, subset (2026-09)      | -        | SKU, color, size, quantity 999; its offering has no price, so the listing's is used |
 * | errors 400, 401 scope, 404, 404            | -        | refused, unauthorized, not_found, not_found |
 * | token answer (shape)                       | -        | tokens and lifetime |
 * | uploadListingImage                         | -        | not used by imports |
 * | getShopReceipts, one page (2023)           | 5 orders | ids, lines, prices, times, a full refund; none has a SKU |
 * | a receipt, paid and unshipped, EUR (2024)  | 1 order  | the same from ISO times, with its SKU, after discounts |
 */
const data = new URL('../../../../shared/data/etsy-samples/', import.meta.url)
const text = (name: string) => readFileSync(new URL(`${name}.json`, data), 'utf8')
const fixture = () => JSON.parse(readFileSync(new URL('./fixtures/listing.json', import.meta.url), 'utf8'))

describe('recorded answers of Etsy', () => {
  it('reads findAllListingsActive except for its images', () => {
    const { count, results } = parseAnswer('a page', ListingsAnswer, text('findAllListingsActive_trimmed_2026-09'))
    expect(count).toBe(4120)
    expect(results.map((raw) => normalizeListing(raw))).toEqual(
      [1406100023, 222].map((id) => ({
        listing_id: String(id),
        url: 'https://www.etsy.com/listing/1406100023/blue-ridge-mountains-sweatshirt',
        title: "Blue Ridge Mountains Sweatshirt, Father's Day Gift",
        price_minor: 3499,
        currency: 'USD',
        error_code: 'page_changed',
        error_message: expect.any(String),
        field: 'images',
      })),
    )
    expect(normalizeListing({ ...(results[0] as object), images: [], quantity: 1 })).toMatchObject({
      listing_id: '1406100023',
      title: "Blue Ridge Mountains Sweatshirt, Father's Day Gift",
      description: "Celebrate Dad's trail days.\n\nPrinted to order.",
      price_minor: 3499,
      currency: 'USD',
      state: 'available',
      listed_at: '2023-01-30T11:05:29.000Z',
    })
  })

  it.each([
    ['getListing_draft_subset_2026-09', 1],
    ['getListing_includes_images_subset_2026-09', 1],
    ['getListingsByListingIds_batch_2026-09', 2],
  ])('reads %s as %i failures naming the price', (name, count) => {
    const body = JSON.parse(text(name))
    const results = (body.results ?? [body]).map((raw: unknown) => normalizeListing(raw))
    expect(results).toHaveLength(count)
    for (const result of results) {
      expect(result).toMatchObject({
        listing_id: expect.stringMatching(/^(4572550919|111|222)$/),
        title: 'OUR COPY - written by the tool, must survive republish',
        error_code: 'page_changed',
        field: 'price',
      })
    }
  })

  it('reads SKU, color, size and quantity of an inventory', () => {
    const inventory = JSON.parse(text('getListingInventory_subset_2026-09'))
    expect(normalizeListing({ ...fixture(), quantity: undefined, skus: undefined, inventory })).toMatchObject({
      sku: 'auto-1',
      colors: ['Black'],
      size: 'S',
      quantity: 999,
      price_minor: 4250,
    })
  })

  it.each([
    ['error_400_marketplace', 400, 'refused', 'Oh dear, you cannot sell this item on Etsy'],
    ['error_401_missing_scope', 401, 'unauthorized', 'requires scope: shops_r'],
    ['error_404_could_not_find_listing', 404, 'not_found', 'Could not find a Listing with listing_id = 1'],
    ['error_404_listing_not_found', 404, 'not_found', 'Listing not found.'],
  ])('classifies %s with HTTP %i as %s', (name, status, failure, words) => {
    const error = errorOfAnswer('a call', { status, headers: new Headers(), text: text(name) })
    expect(error).toMatchObject({ failure, message: expect.stringContaining(words) })
  })

  it('reads both tokens and their lifetime', () => {
    expect(parseAnswer('the sign-in', TokenAnswer, text('oauth_token_response_doc_shape'))).toMatchObject({
      access_token: expect.stringMatching(/^\d+\./),
      refresh_token: expect.stringMatching(/^\d+\./),
      expires_in: 3600,
    })
  })
})

describe('recorded orders of Etsy', () => {
  const sample = (name: string) => JSON.parse(text(name))
  const orderOf = (raw: unknown) => {
    const read = readReceipt(raw)
    if ('field' in read) throw new Error(`unreadable: ${read.field}`)
    return read.order
  }

  it('read five orders of 2023, one of them refunded', () => {
    const { count, results } = ReceiptsAnswer.parse(sample('getShopReceipts_page_real_2023_a'))
    const orders = results.map(orderOf)
    expect(count).toBe(10)
    expect(orders.map(({ external_order_id, status, lines }) => [external_order_id, status, lines.length])).toEqual([
      ['3021745515', 'paid', 1],
      ['3028136742', 'paid', 2],
      ['3025883520', 'paid', 1],
      ['3013648403', 'paid', 1],
      ['3010952128', 'paid', 1],
    ])
    expect(orders[1]).toEqual({
      external_order_id: '3028136742',
      status: 'paid',
      ordered_at: '2023-09-25T07:47:17.000Z',
      modified_at: '2023-09-29T12:09:26.001Z',
      lines: ['3735472784', '3735472782'].map((external_line_id) => ({
        external_line_id,
        listing_id: '1572338361',
        sku: null,
        title:
          'Mini Intrecciato Top Handle Leather Bag | BV Mini Jodie | Braided Knot Design | Designer Luxury Bag | Handcrafted Affordable Leather Bag',
        quantity: 1,
        price_minor: 12_000,
        currency: 'USD',
        cancelled: false,
      })),
      shipping: {
        ship_by: '2023-09-29T16:00:00.000Z',
        buyer_note: null,
        shipped: { at: '2023-09-29T16:00:00.000Z', carrier: 'YT-EXPRESS', tracking_number: 'TRACK000000003000' },
      },
    })
    expect(JSON.stringify(orders)).not.toMatch(/example\.com|Notreal|Sample|Springfield/)
  })

  it('read SKU and price paid of an order in EUR', () => {
    expect(orderOf(sample('receipt_paid_unshipped_EUR_real_2024_1'))).toEqual({
      external_order_id: '3228083899',
      status: 'paid',
      ordered_at: '2024-03-07T16:24:30.000Z',
      modified_at: '2024-03-07T16:24:37.001Z',
      lines: [
        {
          external_line_id: '4005048827',
          listing_id: '1654741347',
          sku: '600422359200014',
          title:
            'PERSONALIZED Sexy Custom Name Panties | G-String Lace Thong | Valentine Bikini Lingerie | Crystal Letters Panties With Name | Gift For Women',
          quantity: 1,
          price_minor: 1_530,
          currency: 'EUR',
          cancelled: false,
        },
      ],
      shipping: { ship_by: '2024-03-14T15:24:35.000Z', buyer_note: null, shipped: null },
    })
  })
})
