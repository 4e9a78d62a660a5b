import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildListing } from '#e2e/harness/listing.ts'
import { InventoryRecord } from '#shared/item/inventory-record.ts'
import { ImportErrorCode, type Listing } from '#shared/listing.ts'
import { type ImportHarness, startImportHarness } from '../testing/harness.ts'

let harness: ImportHarness
beforeAll(async () => {
  harness = await startImportHarness()
})
afterAll(() => harness?.close())

const texts = [
  '<script>alert(1)</script>',
  '=HYPERLINK("http://evil.example","x")',
  '+1+cmd|calc',
  '\u0000\ud800\u202Eevil',
  "'; drop table inventory_item; --",
  '{{constructor}}',
  '   ',
  '',
  'x'.repeat(200_000),
  '\r\nSet-Cookie: a=b',
]
const prices = [0, -1, 1e30, Number.MAX_SAFE_INTEGER, 1.5, Number.NaN, 12]
const currencies = ['usd', 'USD', 'US', '', 'ZZZ', '$$$']
const urls = [
  'javascript:alert(1)',
  'http://169.254.169.254/latest',
  'not a url',
  'https://ok.example/1',
  'file:///etc/passwd',
  `https://x.example/${'a'.repeat(5_000)}`,
]
const pictures = [
  [],
  ['javascript:1'],
  ['https://i.example/1.jpg'],
  Array<string>(5_000).fill('https://i.example/1.jpg'),
]

/** Builds a thousand listings from a corpus for each field, in cycles of different lengths so that values mix. */
const corpus = (): Listing[] =>
  Array.from({ length: 1_000 }, (_, index) =>
    buildListing({
      listing_id: `h-${index}`,
      title: index % 4 === 0 ? texts[(index / 4) % texts.length]! : `Thing ${index}`,
      description: texts[index % texts.length]!,
      sku: index % 5 === 0 ? texts[(index / 5) % texts.length]! : `S-${index}`,
      price_minor: index % 3 === 0 ? prices[(index / 3) % prices.length]! : 1_000,
      currency: index % 7 === 0 ? currencies[(index / 7) % currencies.length]! : 'USD',
      url: index % 11 === 0 ? urls[(index / 11) % urls.length]! : `https://ok.example/${index}`,
      images: index % 13 === 0 ? pictures[(index / 13) % pictures.length]! : ['https://i.example/a.jpg'],
    }),
  )

describe('hostile listings', () => {
  it('are valid records or failures, and the import completes', async () => {
    const seller = await harness.seller()
    harness.ebay.shop = corpus()
    const job = await seller.import()
    expect(job).toMatchObject({ status: 'completed', total_listings_found: 1_000 })
    expect(job.items_failed).toBeGreaterThan(100)
    expect(job.items_imported).toBeGreaterThan(300)
    for (const item of await seller.inventory()) {
      InventoryRecord.parse(item.record)
      expect(JSON.stringify(item.record)).not.toMatch(/javascript:|file:|\\u0000/)
      expect(item.record.offer.price_minor).toBeLessThan(1e15)
    }
    const failed = await seller.items(job.id, 'status=failed&page_size=100')
    for (const { error_code, error_message } of failed) {
      expect(ImportErrorCode.options).toContain(error_code)
      expect(error_message).toBeTruthy()
    }
  })
})
