import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { anyCharacter } from '#e2e/harness/campaigns/any-character.ts'
import { type DecisionContext, decideListing } from '#server/catalog/imports/deciding/decide-listing.ts'
import { channelListingOf } from '#server/catalog/imports/deciding/write-decisions.ts'
import { sanitizeListing } from '#server/catalog/imports/discovery/sanitize-listing.ts'
import { InventoryRecord, inventoryRecordJsonSchema } from '#shared/item/inventory-record.ts'
import type { Listing } from '#shared/listing.ts'
import { buildRecord } from './build-record.ts'
import { httpUri } from './clean.ts'

const ajv = new Ajv2020({ strict: false, allErrors: true })
addFormats.default(ajv)
const fitsJsonSchema = ajv.compile(inventoryRecordJsonSchema('https://hapax.example'))

const context: DecisionContext = {
  platform: 'ebay',
  public_url: 'https://hapax.example',
  observed_at: '2026-05-04T10:00:00.000Z',
  shop_url: 'https://www.ebay.com/usr/vera',
  shipping_policy_url: 'https://vera.example/shipping',
  returns_policy_url: 'https://vera.example/returns',
  sku_required: false,
}

const hostileText = fc.oneof(
  fc.string({ unit: anyCharacter, maxLength: 40 }),
  fc.constantFrom(
    '',
    ' ',
    '\0',
    '\ud800',
    '<script>alert(1)</script>',
    '=HYPERLINK("http://evil")',
    "'; drop table x; --",
  ),
)
const hostileUrl = fc.oneof(
  { weight: 6, arbitrary: fc.webUrl() },
  fc.webUrl({ withFragments: true, withQueryParameters: true }),
  fc.webUrl().chain((url) => hostileText.map((text) => `${url}/${text}`)),
  fc.constantFrom(
    'https://i.example/a|b^c.jpg',
    'https://i.example/100%',
    'https://i.example/[x]{y}`z`\\w',
    'https://münchen.example/größe?q=ü#a#b',
    'https://[::1]/x',
    'http://127.0.0.1:8080/x',
    'https://a..b/',
    'https://x.example:99999/',
    'javascript:alert(1)',
    'data:image/png;base64,AA',
    '//i.example/x.jpg',
    'https://',
  ),
  hostileText,
)
const listing: fc.Arbitrary<Listing> = fc.record(
  {
    listing_id: fc.string({ minLength: 1, maxLength: 20 }),
    url: hostileUrl,
    title: fc.oneof(fc.constant('Wool coat'), fc.string({ minLength: 1 }), hostileText),
    description: hostileText,
    price_minor: fc.oneof(fc.nat(1_000_000), fc.constantFrom(-1, 0.5, 1e30, Number.MAX_SAFE_INTEGER)),
    currency: fc.constantFrom('USD', 'EUR', 'JPY', 'GBP', 'usd', '', 'US', 'XYZ'),
    state: fc.constantFrom('available', 'reserved', 'sold', 'removed'),
    images: fc.array(hostileUrl, { maxLength: 5 }),
    sku: hostileText,
    brand: hostileText,
    size: hostileText,
    condition: hostileText,
    colors: fc.array(hostileText, { maxLength: 3 }),
    seller_url: hostileUrl,
    quantity: fc.constantFrom(0, 1),
    format: fc.constantFrom('fixed_price', 'auction'),
  },
  { requiredKeys: ['listing_id', 'url', 'title', 'description', 'price_minor', 'currency', 'state', 'images'] },
)

describe('the record', () => {
  it('is valid by zod and JSON Schema for any imported listing', () => {
    let imported = 0
    fc.assert(
      fc.property(listing, fc.string(), (given, alias) => {
        const found = sanitizeListing(given)
        const uid = 'inv_0000000000000000000000'
        const decision = decideListing(
          found,
          { listing: null, sku: null, lookAlikes: [], ownListing: null, skip: null },
          context,
          uid,
        )
        if (decision.status !== 'imported' || 'error_code' in found) return
        imported++
        const channel = channelListingOf(found, decision.content)
        const record = buildRecord(
          {
            ...decision.content,
            uid,
            aliases: [httpUri(alias) ?? 'https://old.example/'],
            redirect_uid: null,
            version: 1,
            updated_at: context.observed_at,
          },
          [{ platform: 'ebay', listing_id: channel.listing_id, url: channel.url ?? '' }],
          context.public_url,
        )
        InventoryRecord.parse(record)
        const valid = fitsJsonSchema(JSON.parse(JSON.stringify(record)))
        expect(fitsJsonSchema.errors ?? [], JSON.stringify(record)).toEqual([])
        expect(valid).toBe(true)
        // It contains nothing that PostgreSQL refuses.
        expect(JSON.stringify(decision.content)).not.toMatch(/\\u(0000|d[89a-f])/)
      }),
      { numRuns: 3_000 },
    )
    expect(imported).toBeGreaterThan(200)
  })

  it('has quantity 1 until sold, and availability as the state', () => {
    for (const [state, quantity] of [
      ['available', 1],
      ['reserved', 1],
      ['sold', 0],
      ['withdrawn', 0],
    ] as const) {
      const record = buildRecord({ ...anItem, state }, [], context.public_url)
      expect(record.offer).toMatchObject({ quantity, availability: state })
      expect(record.lifecycle.state).toBe(state)
    }
  })

  it("names the item's page, listings and merge target", () => {
    const url = 'https://www.ebay.com/itm/1'
    const record = buildRecord(
      { ...anItem, aliases: [url, 'https://old.example/'], redirect_uid: 'inv_2' },
      [{ platform: 'ebay', listing_id: '1', url }],
      'https://hapax.example',
    )
    expect(record).toMatchObject({
      canonical_url: 'https://hapax.example/items/inv_1',
      redirect_target: 'https://hapax.example/items/inv_2',
      aliases: [url, 'https://old.example/'],
      channel_listings: [{ channel: 'ebay', listing_id: '1', url }],
    })
  })
})

const anItem = {
  uid: 'inv_1',
  product_id: 'A',
  offer_id: '1',
  title: 'Wool coat',
  images: ['https://i.example/1.jpg'],
  condition_label: 'Good',
  condition_notes: '',
  inspected_at: '2026-05-04',
  evidence_urls: [],
  price_minor: 8_500,
  currency: 'USD',
  state: 'available' as const,
  observed_at: context.observed_at,
  seller_url: context.shop_url,
  shipping_policy_url: context.shipping_policy_url,
  returns_policy_url: context.returns_policy_url,
  aliases: [] as string[],
  redirect_uid: null as string | null,
  version: 1,
  updated_at: context.observed_at,
}
