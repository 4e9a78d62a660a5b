import { describe, expect, it } from 'vitest'
import { capturesIn, readProduct, readText } from '#extension/testing/captured.ts'
import type { Listing } from '#shared/listing.ts'
import { ReadingStopped } from '../port.ts'
import { depop } from './index.ts'
import { parsePage } from './parse.ts'

const folder = new URL('./fixtures/captured/', import.meta.url)

describe('answers shaped like captures of Depop', () => {
  it.each(capturesIn<Listing>(folder))('$name: exactly the expected fields', ({ text, expected }) => {
    expect(JSON.parse(JSON.stringify(readProduct(text).listing))).toEqual(expected)
  })

  it('continues after the cursor of a page', () => {
    expect(parsePage(readText(folder, 'search.json'))).toMatchObject({
      data: { next: 'MnwyNHwxNzgzMDE1NTI3.BOOSTED_EXHAUSTED.0', stuck: false },
    })
  })

  it('reads a deprecated endpoint as a changed page', () => {
    const shop = { username: 'moss', url: 'https://www.depop.com/moss/', id: '40815526' }
    const text = readText(folder, '../deprecated.json')
    const answer = { url: 'https://webapi.depop.com/x', status: 200, text }
    const { failures, cursor } = depop.readAnswer(depop.begin(shop), answer)
    expect(failures).toMatchObject([{ error_code: 'page_changed', field: 'listings' }])
    expect(depop.nextRequest(cursor)?.url).toBe(shop.url)
  })

  it.each(['offers.json', 'discount.json'])('%s: other answers are not products', (name) => {
    const shop = { username: 'moss', url: 'https://www.depop.com/moss/', id: '1' }
    const answer = { url: 'https://webapi.depop.com/x', status: 200, text: readText(folder, name) }
    let listings: Listing[] = []
    try {
      listings = depop.readAnswer(depop.begin(shop), answer).listings
    } catch (error) {
      if (!(error instanceof ReadingStopped)) throw error
    }
    expect(listings).toEqual([])
  })
})
