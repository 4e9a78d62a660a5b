import { describe, expect, it } from 'vitest'
import { readPost, readPosts, readText } from '#extension/testing/captured.ts'
import type { Listing } from '#shared/listing.ts'
import { ReadingStopped } from '../port.ts'
import { poshmark } from './index.ts'
import { parsePostDetail } from './parse.ts'

/** Real captures, stored outside the repository. */
const folder = new URL('../../../../shared/data/poshmark/', import.meta.url)
const read = (name: string) => readText(folder, name)
const shop = { username: 'sampleuser02', url: 'https://poshmark.com/closet/sampleuser02' }

/** Listings per capture, and how many of them have each optional field. */
const closetFields = {
  brand: 15,
  size: 20,
  condition: 9,
  category: 20,
  colors: 16,
  listed_at: 20,
  quantity: 20,
  seller_url: 20,
  sku: 0,
}

describe('real Poshmark captures', () => {
  it('closet_page_1_has_next.json: all 20 listings', () => {
    const { listings, failures, cursor } = readPosts(read('closet_page_1_has_next.json'), shop)
    expect(failures).toEqual([])
    expect(filled(listings, Object.keys(closetFields))).toEqual(closetFields)
    expect(compare(listings, JSON.parse(read('closet_page_1_has_next.json')).data)).toEqual([])
    expect(poshmark.nextRequest(cursor)?.url).toContain(encodeURIComponent('"max_id":1590339263.92'))
  })

  it('COMPOSITE_closet_html_page_1.html: the same 20 listings', () => {
    const fromState = poshmark.readAnswer(poshmark.begin(shop), {
      url: shop.url,
      status: 200,
      text: read('COMPOSITE_closet_html_page_1.html'),
    })
    expect(fromState.listings).toEqual(readPosts(read('closet_page_1_has_next.json'), shop).listings)
    expect(fromState.failures).toEqual([])
  })

  it('post_detail_1.json: every field', () => {
    expect(readPost(read('post_detail_1.json'))).toMatchObject({
      listing_id: '5de18684a6e3ea2a8a0ba67a',
      title: 'Arizona U Tigers pull over hoodie',
      description: 'Great condition, nice University sweatshirt with hood.',
      price_minor: 3900,
      currency: 'USD',
      state: 'available',
      brand: 'Champion',
      size: 'M',
      condition: 'not_nwt',
      category: 'Men > Shirts > Sweatshirts & Hoodies',
      colors: ['Red', 'Gray'],
      listed_at: '2019-04-01T18:25:24-07:00',
      quantity: 1,
      images: [expect.stringMatching(/\/l_5ac186a59b112e81ae0be4e2\.jpg$/)],
      seller_url: 'https://poshmark.com/closet/sampleuser01',
    })
  })

  it('post_detail_real_2025-08_hat.json: every field and the URL', () => {
    const raw = JSON.parse(read('post_detail_real_2025-08_hat.json'))
    const hat = readPost(read('post_detail_real_2025-08_hat.json'))
    expect(hat).toMatchObject({
      url: raw.url,
      title: raw.title,
      description: raw.description,
      price_minor: 1600,
      state: 'available',
      size: 'One Size',
      category: 'Men > Accessories > Hats',
      listed_at: '2025-07-14T20:27:42-07:00',
      quantity: 1,
    })
    expect(hat.images.map((image) => image.slice(-27))).toEqual(
      ['6875caa6ed788d7f271b1aa6.jpeg', '6875caa82fa054fcf1bf7b50.jpeg'].map((name) => name.slice(-27)),
    )
    expect([hat.brand, hat.condition, hat.colors, hat.sku]).toEqual([undefined, undefined, undefined, undefined])
  })

  it('stops at an error inside an HTTP 200 answer', () => {
    const error = read('error_http200_embedded_2026-08.json')
    expect(() => readPosts(error, shop)).toThrow(ReadingStopped)
    expect(parsePostDetail(error)).toMatchObject({ error: { message: 'Whole dollar amount required', status: 400 } })
  })
})

function filled(listings: Listing[], fields: string[]): Record<string, number> {
  return Object.fromEntries(
    fields.map((field) => [field, listings.filter((listing) => Reflect.get(listing, field) !== undefined).length]),
  )
}

// biome-ignore lint/suspicious/noExplicitAny: a raw capture has any shape
function compare(listings: Listing[], posts: any[]): string[] {
  return posts.flatMap((post, index) => {
    const listing = listings[index]
    const expected = {
      listing_id: post.id,
      title: post.title,
      description: post.description,
      price_minor: post.price * 100,
      currency: 'USD',
      images: [post.cover_shot.url_large, ...post.pictures.map((picture: { url_large: string }) => picture.url_large)],
      quantity: post.inventory.size_quantities[0].quantity_available,
    }
    return Object.entries(expected).flatMap(([field, value]) =>
      JSON.stringify(Reflect.get(listing ?? {}, field)) === JSON.stringify(value) ? [] : [`${post.id}: ${field}`],
    )
  })
}
