import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { parseAnswer } from './client.ts'
import { errorOfAnswer } from './errors.ts'
import { readReceipt } from './orders/read-receipt.ts'
import { ReceiptsAnswer } from './orders/receipt-wire.ts'
import { normalizeListing } from './read/normalize.ts'
import { ListingsAnswer, TokenAnswer } from './wire.ts'

/*
 * Answers of Etsy that are shaped like recorded ones, read by the product's own code. `<name>.expected.json` has the
 * whole reading of `<name>.json`.
 */
const text = (name: string) => readFileSync(new URL(`./fixtures/captured/${name}.json`, import.meta.url), 'utf8')
const json = (name: string) => JSON.parse(text(name))
const fixture = () => JSON.parse(readFileSync(new URL('./fixtures/listing.json', import.meta.url), 'utf8'))

function orderOf(raw: unknown) {
  const read = readReceipt(raw)
  if ('field' in read) throw new Error(`unreadable: ${read.field}`)
  return read.order
}

describe('answers shaped like recorded ones of Etsy', () => {
  it('reads findAllListingsActive except for its images', () => {
    const { count, results } = parseAnswer('a page', ListingsAnswer, text('listings-active'))
    expect(count).toBe(1677)
    expect(results.map((raw) => normalizeListing(raw))).toEqual(
      ['6068080756', '444'].map((listing_id) => ({
        listing_id,
        url: 'https://www.etsy.com/listing/6068080756/tide-table-tea-towel',
        title: "Tide Table Tea Towel, Sailor's Kitchen",
        price_minor: 10_497,
        currency: 'USD',
        error_code: 'page_changed',
        error_message: expect.any(String),
        field: 'images',
      })),
    )
    expect(normalizeListing({ ...(results[0] as object), images: [], quantity: 1 })).toMatchObject(
      json('listings-active.expected'),
    )
  })

  it.each([
    ['listing-draft', ['4560600752']],
    ['listing-images', ['4560600752']],
    ['listings-batch', ['333', '444']],
  ])('reads %s as failures naming the price', (name, ids) => {
    const body = json(name)
    const results = (body.results ?? [body]).map((raw: unknown) => normalizeListing(raw))
    const title = 'DRAFT TEXT - kept by a script, please leave as it is'
    expect(results).toMatchObject(
      ids.map((listing_id) => ({ listing_id, title, error_code: 'page_changed', field: 'price' })),
    )
  })

  it('reads SKU, color, size and quantity of an inventory', () => {
    const inventory = json('inventory')
    expect(normalizeListing({ ...fixture(), quantity: undefined, skus: undefined, inventory })).toMatchObject({
      sku: 'towel-7',
      colors: ['Black'],
      size: 'S',
      quantity: 999,
      price_minor: 4250,
    })
  })

  it.each([
    ['error-400', 400, 'refused', 'Oh dear, you cannot sell this item on Etsy'],
    ['error-401-scope', 401, 'unauthorized', 'requires scope: shops_r'],
    ['error-404-id', 404, 'not_found', 'Could not find a Listing with listing_id = 1'],
    ['error-404', 404, 'not_found', 'Listing not found.'],
  ])('classifies %s with HTTP %i as %s', (name, status, failure, words) => {
    const error = errorOfAnswer('a call', { status, headers: new Headers(), text: text(name) })
    expect(error).toMatchObject({ failure, message: expect.stringContaining(words) })
  })

  it('reads both tokens and their lifetime', () => {
    expect(parseAnswer('the sign-in', TokenAnswer, text('oauth-tokens'))).toMatchObject({
      access_token: expect.stringMatching(/^\d+\./),
      refresh_token: expect.stringMatching(/^\d+\./),
      expires_in: 3600,
    })
  })

  it('reads five receipts, one of them refunded, without their buyers', () => {
    const { count, results } = ReceiptsAnswer.parse(json('receipts-page'))
    const orders = results.map(orderOf)
    expect(count).toBe(12)
    expect(orders).toEqual(json('receipts-page.expected'))
    expect(JSON.stringify(orders)).not.toMatch(/example\.com|Made-Up|Invented|Newtown/)
  })

  it('reads ISO times, SKU and price paid of a receipt in EUR', () => {
    expect(orderOf(json('receipt-iso-times'))).toEqual(json('receipt-iso-times.expected'))
  })
})
