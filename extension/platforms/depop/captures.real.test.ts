import { describe, expect, it } from 'vitest'
import { readProduct, readText } from '#extension/testing/captured.ts'
import type { Listing } from '#shared/listing.ts'
import { type PageAnswer, ReadingStopped } from '../port.ts'
import { depop } from './index.ts'
import { parsePage } from './parse.ts'

/** Real captures, stored outside the repository. */
const folder = new URL('../../../../shared/data/depop/', import.meta.url)
const read = (name: string) => readText(folder, name)

/** Expected fields per capture. All other fields must be absent. */
const expectations: Record<string, Partial<Listing>> = {
  'search_response_2026-07_real_one_object.json': {
    listing_id: '823805820',
    url: 'https://www.depop.com/products/buono-fashion-nova-can-it-be-a567/',
    title: "Fashion Nova 'Can It Be Corduroy Jacket' with white sherpa lining #sherpa #outerwear",
    description: "Fashion Nova 'Can It Be Corduroy Jacket' with white sherpa lining #sherpa #outerwear",
    price_minor: 1_300,
    currency: 'USD',
    state: 'available',
    images: ['https://media-photos.depop.com/r1/423899990/4199061637_8931d4ea15cc40208342601aa7356fa7/P0.jpg'],
    format: 'fixed_price',
    brand: 'Fashion Nova',
    size: 'M',
    condition: 'used_excellent',
    category: 'Womenswear > Outerwear',
    colors: ['navy', 'black'],
    quantity: 1,
    seller_url: 'https://www.depop.com/buono/',
  },
  'edit_listing_read_2026-08.json': {
    listing_id: '111222333',
    url: 'https://www.depop.com/products/seller-example-item-abcd/',
    title: 'Example listing text',
    description: 'Example listing text\n\n- a bullet\n#example #sneakers',
    price_minor: 10_000,
    currency: 'USD',
    state: 'available',
    images: ['https://media-photos.example/901/P0.jpg', 'https://media-photos.example/902/P0.jpg'],
    format: 'fixed_price',
    brand: 'Example Brand',
    condition: 'used_excellent',
    category: 'Womenswear > Shoes > Sneakers',
    colors: ['white', 'grey'],
    listed_at: '2026-08-01T00:00:00Z',
    quantity: 1,
    seller_url: 'https://www.depop.com/seller/',
  },
}

describe('real Depop captures', () => {
  it.each(Object.keys(expectations))('%s: exactly the expected fields', (name) => {
    const { listing } = readProduct(read(name))
    expect(JSON.parse(JSON.stringify(listing))).toEqual(expectations[name])
  })

  it('continues after the cursor of a page', () => {
    expect(parsePage(read('search_response_2026-07_real_one_object.json'))).toMatchObject({
      data: { next: 'MnwyNHwxNzg0NDg2NjM0.BOOSTED_EXHAUSTED.0', stuck: false },
    })
  })

  it('reads a deprecated endpoint as a changed page', () => {
    const shop = { username: 'buono', url: 'https://www.depop.com/buono/', id: '423899990' }
    const answer: PageAnswer = {
      url: 'https://webapi.depop.com/x',
      status: 200,
      text: read('error_deprecated_endpoint_live_2026-06.json'),
    }
    const { failures, cursor } = depop.readAnswer(depop.begin(shop), answer)
    expect(failures).toMatchObject([{ error_code: 'page_changed', field: 'listings' }])
    expect(depop.nextRequest(cursor)?.url).toBe(shop.url)
  })

  it.each(['offers_me_products_2026-08.json', 'discount_patch_response_2026-08.json'])(
    '%s: other answers are not products',
    (name) => {
      const shop = { username: 'x', url: 'https://www.depop.com/x/', id: '1' }
      const answer: PageAnswer = { url: 'https://webapi.depop.com/x', status: 200, text: read(name) }
      let listings: Listing[] = []
      try {
        listings = depop.readAnswer(depop.begin(shop), answer).listings
      } catch (error) {
        if (!(error instanceof ReadingStopped)) throw error
      }
      expect(listings).toEqual([])
    },
  )
})
