import { describe, expect, it } from 'vitest'
import { capturesIn, closetPage, readPost, readPosts, readText } from '#extension/testing/captured.ts'
import type { Listing } from '#shared/listing.ts'
import { ReadingStopped } from '../port.ts'
import { poshmark } from './index.ts'
import { parsePostDetail } from './parse.ts'

const folder = new URL('./fixtures/captured/', import.meta.url)
const shop = { username: 'willow_attic', url: 'https://poshmark.com/closet/willow_attic' }
const captures = capturesIn<Listing | Listing[]>(folder)
const plain = (listings: unknown) => JSON.parse(JSON.stringify(listings))

describe('pages and answers shaped like captures of Poshmark', () => {
  it.each(captures)('$name: exactly the expected fields', ({ text, expected }) => {
    if (!Array.isArray(expected)) return expect(plain(readPost(text))).toEqual(expected)
    const { listings, failures } = readPosts(text, shop)
    expect(failures).toEqual([])
    expect(plain(listings)).toEqual(expected)
  })

  it('continues after the last post of a page', () => {
    const { cursor } = readPosts(readText(folder, 'closet-page.json'), shop)
    expect(poshmark.nextRequest(cursor)?.url).toContain(encodeURIComponent('"max_id":1588859194.41'))
  })

  it('reads the same listings from the state of a closet page', () => {
    const posts = readText(folder, 'closet-page.json')
    const answer = { url: shop.url, status: 200, text: closetPage(posts, shop.username) }
    const fromState = poshmark.readAnswer(poshmark.begin(shop), answer)
    expect(fromState.listings).toEqual(readPosts(posts, shop).listings)
    expect(fromState.failures).toEqual([])
  })

  it('stops at an error inside an HTTP 200 answer', () => {
    const error = readText(folder, 'error-http200.json')
    expect(() => readPosts(error, shop)).toThrow(ReadingStopped)
    expect(parsePostDetail(error)).toMatchObject({ error: { message: 'Please enter whole dollars', status: 400 } })
  })
})
