import { existsSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { parseAnswer } from './client.ts'
import { errorOfAnswer } from './errors.ts'
import { normalizeListing } from './normalize.ts'
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
 * | receipts                                   | -        | in orders-document.test.ts |
 */
const data = new URL('../../../../shared/data/etsy-samples/', import.meta.url)
const isHere = existsSync(data)
const text = (name: string) => readFileSync(new URL(`${name}.json`, data), 'utf8')
const fixture = () => JSON.parse(readFileSync(new URL('./fixtures/listing.json', import.meta.url), 'utf8'))

describe.skipIf(!isHere)('recorded answers of Etsy (skipped where ../shared/data is absent)', () => {
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
