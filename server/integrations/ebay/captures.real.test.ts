import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import type { Listing, ListingFailure } from '#shared/listing.ts'
import { PlatformError } from '../errors.ts'
import { readAnswer } from './client.ts'
import { errorOfAnswer, errorOfOAuth, errorOfTrading } from './errors.ts'
import { createOAuth } from './oauth.ts'
import { normalizeItem, type SellingList } from './read/normalize.ts'
import { entriesOf } from './read/selling.ts'
import { GetItemAnswer, GetMyeBaySellingAnswer, GetSellerListAnswer, TradingAnswer } from './wire.ts'
import { parseXml } from './xml.ts'

/*
 * Recorded answers of eBay, read by the product's own code.
 *
 * | capture                                  | items | listings | read correctly, and missing from the capture  |
 * |------------------------------------------|-------|----------|-----------------------------------------------|
 * | GetItem with SKU (2014)                  | 1     | 1        | all but the description (no ReturnAll) and brand, size, colors (no ItemSpecifics) |
 * | GetSellerList, 5 items, ReturnAll (2014) | 5     | 5        | all; 3 have no SKU, 1 no picture, none has ItemSpecifics or a seller |
 * | GetSellerList, edited statuses (2014)    | 5     | 3        | available 299 (one of five variations is active), ended with one of 204 sold, ended; 2 failures: unknown statuses Custom, CustomCode |
 * | GetSellerList, 1 item a page (2014)      | 1     | 0        | 1 failure naming Title, because it has ids and times only; page count 4 |
 * | GetMyeBaySelling ActiveList (doc sample) | 3     | 3        | id, title, price in MYR and USD, auction, quantity, time; lists have no URL, picture or description |
 * | GetMyeBaySelling ActiveList (2026 test)  | 1     | 1        | id, title, price, quantity, URL; active because of its list, without a ListingStatus |
 * | GetMyeBaySelling SoldList (2026 test)    | 1     | 1        | id, SKU, title, price, sold, auction; no URL |
 * | GetMyeBaySelling SoldList, empty         | 0     | 0        | an empty page |
 * | GetItem (2026 test)                      | 1     | 1 / 0    | id, title, price, URL if seen in the active list; read by id, a failure naming ListingStatus |
 * | failures: 931, 17, 240, 21919136, system | -     | -        | unauthorized, not_found, refused, refused, unavailable |
 * | every other recorded Trading answer      | -     | -        | parsed, with its Ack |
 * | OAuth: code, refresh, invalid_grant      | -     | -        | tokens and lifetimes; no new refresh token; reconnect |
 * | REST: 401 with 1001, other error shapes  | -     | -        | unauthorized; refused |
 */
const data = new URL('../../../../shared/data/', import.meta.url)
const trading = (name: string) => readFileSync(new URL(`ebay-trading/${name}`, data), 'utf8')
const rest = (name: string) => JSON.parse(readFileSync(new URL(`ebay-rest/${name}`, data), 'utf8'))
const ok = (text: string) => ({ status: 200, headers: new Headers(), text })

type Result = Listing | ListingFailure

const oneItem = (name: string, list: SellingList | null = null): Result =>
  normalizeItem(GetItemAnswer.parse(readAnswer('GetItem', ok(trading(name)))).Item, { list })

function sellerList(name: string) {
  const answer = GetSellerListAnswer.parse(readAnswer('GetSellerList', ok(trading(name))))
  return { answer, results: (answer.ItemArray?.Item ?? []).map((item) => normalizeItem(item, { list: null })) }
}

function myEbay(name: string, list: SellingList): Result[] {
  const answer = GetMyeBaySellingAnswer.parse(readAnswer('GetMyeBaySelling', ok(trading(name))))
  return entriesOf(answer, list).map((item) => normalizeItem(item, { list }))
}

/** Drops undefined values, so that an expectation also covers absent ones. */
const present = (result: Result | undefined) =>
  Object.fromEntries(Object.entries(result ?? {}).filter(([, value]) => value !== undefined))

const image = (path: string) => `http://i.ebayimg.sandbox.ebay.com/00/s/${path}`
const warning =
  '<font face="Arial" size="2">WARNING !&nbsp;</font><div><font face="Arial" size="2">THIS IS A TEST ITEM !!!</font></div>'
const testItem = '<font face="Arial" size="2">TEST ITEM! DO NOT BAY IT!!!</font>'
const levis = {
  currency: 'USD',
  condition: 'New with tags',
  format: 'fixed_price',
  terms: { site: 'US' },
}
const womensJeans = "Clothing, Shoes & Accessories:Women's Clothing:Jeans"
const mensJeans = "Clothing, Shoes & Accessories:Men's Clothing:Jeans"
const shirt = {
  ...levis,
  listing_id: '110141553531',
  url: 'http://cgi.sandbox.ebay.com/levis-501-teenager-T-Shirt-/110141553531',
  title: 'levis 501 teenager T-Shirt',
  description: warning,
  price_minor: 222,
  state: 'available',
  images: [image('OTBYOTA=/$(KGrHqJHJC4FLfcGW8rEBT(nv)j07g~~60_1.JPG?set_id=8800004005')],
  sku: 'testSku11014',
  category: womensJeans,
  listed_at: '2014-04-18T14:01:04.000Z',
  quantity: 200,
}
const cap = {
  ...levis,
  listing_id: '110141989389',
  url: 'http://cgi.sandbox.ebay.com/levis-501-teenager-Cap-/110141989389',
  title: 'levis 501 teenager Cap',
  description: warning,
  price_minor: 117,
  state: 'available',
  images: [image('MTk0WDI1OQ==/$(KGrHqVHJEwFMO2Z+JJQBT(n)BQFyw~~60_1.JPG?set_id=8800004005')],
  sku: 'testSku110141989389',
  category: womensJeans,
  listed_at: '2014-04-28T16:06:40.000Z',
  quantity: 203,
}
const boots = {
  ...levis,
  listing_id: '110141989458',
  url: 'http://cgi.sandbox.ebay.com/levis-501-teenager-bootsofspeed-/110141989458',
  title: 'levis 501 teenager bootsofspeed',
  description: warning,
  price_minor: 117,
  state: 'available',
  images: [image('NjRYNjQ=/$(KGrHqZHJCIFJ3uC6q0GBT(nz-4Jdw~~60_1.GIF?set_id=8800004005')],
  category: womensJeans,
  listed_at: '2014-04-28T16:09:40.000Z',
  quantity: 204,
}
const trousers = {
  ...levis,
  listing_id: '110142400319',
  url: 'http://cgi.sandbox.ebay.com/levis-501-teenager-Trousers-/110142400319',
  title: 'levis 501 teenager Trousers',
  description: testItem,
  price_minor: 112,
  state: 'available',
  images: [image('MzY1WDQ1Nw==/$(KGrHqNHJEwFMV+N6SDcBTY5UR(kbg~~60_1.JPG?set_id=8800005007')],
  category: mensJeans,
  listed_at: '2014-05-02T13:07:23.000Z',
  quantity: 896,
}
const jackets = {
  ...levis,
  listing_id: '110142503362',
  url: 'http://cgi.sandbox.ebay.com/levis-501-teenager-Jackets-/110142503362',
  title: 'levis 501 teenager Jackets',
  description: testItem,
  price_minor: 114,
  state: 'available',
  images: [],
  category: mensJeans,
  listed_at: '2014-05-05T13:23:27.000Z',
  quantity: 900,
}

describe('recorded answers of eBay', () => {
  it('reads GetItem with a SKU', () => {
    expect(present(oneItem('sv_GetItemResponseWithItemSku.xml'))).toEqual({
      ...trousers,
      description: '',
      sku: 'TestSku501Tr',
      seller_url: 'https://www.ebay.com/usr/testuser_05',
    })
  })

  it('reads five listings with descriptions from GetSellerList', () => {
    const { answer, results } = sellerList('sv_GetSellerListResponseWith5ItemsWithSku_DetailLevelAll.xml')
    expect(answer.PaginationResult).toEqual({ TotalNumberOfPages: '1', TotalNumberOfEntries: '5' })
    expect(results.map(present)).toEqual([shirt, cap, boots, trousers, jackets])
  })

  it('reads GetSellerList with unknown statuses as failures', () => {
    const { results } = sellerList('sv_GetSellerListCustomResponse.xml')
    const unknown = { error_code: 'page_changed', field: 'SellingStatus/ListingStatus' }
    expect(results).toMatchObject([
      // One of its variations is active.
      { ...shirt, quantity: 299, sku: 'testSku11014_V1', price_minor: 112, colors: ['Black'] },
      // One of 204 was sold before the seller ended the listing.
      { ...cap, state: 'removed', quantity: 0 },
      { ...unknown, listing_id: boots.listing_id, title: boots.title },
      { ...unknown, listing_id: trousers.listing_id, title: trousers.title },
      { ...jackets, state: 'removed', quantity: 0 },
    ])
  })

  it('reads GetSellerList with ids only as a failure', () => {
    const { answer, results } = sellerList('sv_GetSellerListResponseWith1PageOf4Contains1Item.xml')
    expect(answer).toMatchObject({ HasMoreItems: 'true', PaginationResult: { TotalNumberOfPages: '4' } })
    expect(results).toMatchObject([{ listing_id: '110136942332', error_code: 'page_changed', field: 'Title' }])
  })

  it('reads the documented ActiveList as three auctions', () => {
    const auction = { description: '', state: 'available', images: [], quantity: 1, format: 'auction' }
    expect(myEbay('doc_GetMyeBaySelling_ActiveList_sample_539.xml', 'ActiveList').map(present)).toEqual([
      {
        ...auction,
        listing_id: '110025737313',
        url: 'https://www.ebay.com/itm/110025737313',
        title: 'Test Auction Title',
        price_minor: 1100,
        currency: 'MYR',
        listed_at: '2007-12-12T18:41:12.000Z',
      },
      {
        ...auction,
        listing_id: '110045137699',
        url: 'https://www.ebay.com/itm/110045137699',
        title: 'Test for ExternalProductIdentifier',
        price_minor: 100,
        currency: 'USD',
        listed_at: '2007-12-13T17:23:04.000Z',
      },
      {
        ...auction,
        listing_id: '110029733452',
        url: 'https://www.ebay.com/itm/110029733452',
        title: 'Test for ExternalProductIdentifier',
        price_minor: 100,
        currency: 'USD',
        listed_at: '2007-12-14T11:44:56.000Z',
      },
    ])
  })

  const sample = {
    listing_id: '276784478357',
    url: 'https://www.ebay.com/itm/276784478357',
    title: 'Sample listing',
    description: '',
    price_minor: 25_000,
    currency: 'USD',
    state: 'available',
    images: [],
    quantity: 1,
  }

  it('reads an ActiveList with a single item', () => {
    expect(myEbay('third_party_test_GetMyeBaySelling_ActiveList_2026.xml', 'ActiveList').map(present)).toEqual([sample])
  })

  it('reads GetItem without a ListingStatus if it was active', () => {
    expect(present(oneItem('third_party_test_GetItem_2026.xml', 'ActiveList'))).toEqual(sample)
    expect(oneItem('third_party_test_GetItem_2026.xml')).toMatchObject({
      listing_id: '276784478357',
      error_code: 'page_changed',
      field: 'SellingStatus/ListingStatus',
    })
  })

  it('reads a SoldList, also an empty one', () => {
    expect(myEbay('third_party_test_GetMyeBaySelling_SoldList.xml', 'SoldList').map(present)).toEqual([
      {
        listing_id: '178374167880',
        url: 'https://www.ebay.com/itm/178374167880',
        title: 'LEGO Wheel',
        description: '',
        price_minor: 1750,
        currency: 'USD',
        state: 'sold',
        images: [],
        sku: 'EBAY-20260804130425',
        quantity: 0,
        format: 'auction',
      },
    ])
    expect(myEbay('third_party_test_GetMyeBaySelling_SoldList_empty.xml', 'SoldList')).toEqual([])
  })

  it.each([
    ['sv_AuthTokenIsInvalidResponse.xml', 'GeteBayOfficialTime', 'unauthorized', '931'],
    ['iv_EndFixedPriceItem_failure_failing_unpublishing4.response.xml', 'EndFixedPriceItem', 'not_found', '17'],
    ['iv_AddItem_failure_publish_ipad_stand_correct0.response.xml', 'AddItem', 'refused', '240'],
    [
      'iv_AddFixedPriceItem_failure_publish_ipad_stand_no_image0.response.xml',
      'AddFixedPriceItem',
      'refused',
      '21919136',
    ],
    ['cf_official_time_failure.xml', 'GeteBayOfficialTime', 'unavailable', 'SystemError'],
  ])('reads the failure %s as one line without markup', (name, call, failure, platformCode) => {
    const read = () => readAnswer(call, ok(trading(name)))
    expect(read).toThrow(PlatformError)
    try {
      read()
    } catch (error) {
      expect(error).toMatchObject({ failure, platformCode })
      expect((error as PlatformError).message).not.toMatch(/[<>]|\n/)
      expect((error as PlatformError).message.length).toBeLessThan(1_300)
    }
  })

  it('parses every other recorded answer', () => {
    const names = readdirSync(new URL('ebay-trading/', data)).filter((name) => /^(?!.*\.request).*\.xml$/.test(name))
    expect(names.length).toBeGreaterThan(30)
    for (const name of names) {
      const [root] = Object.values(parseXml(trading(name)))
      const { Ack } = TradingAnswer.parse(root)
      const word = /_(success|warning|failure)_/.exec(name)?.[1]
      if (word) expect(Ack.toLowerCase(), name).toBe(word)
      else expect(['Success', 'Failure'], name).toContain(Ack)
    }
  })

  it('reads OAuth tokens, refreshes and a lost grant', async () => {
    const answers = [
      { status: 200, body: rest('oauth_user_token_response.json') },
      { status: 200, body: rest('oauth_refresh_response.json') },
      { status: 400, body: rest('oauth_error_400_invalid_grant.json') },
    ]
    const oauth = createOAuth({
      clientId: 'id',
      clientSecret: 'secret',
      ruName: 'RuName',
      authUrl: 'https://auth.ebay.com',
      apiUrl: 'https://api.ebay.com',
      apizUrl: 'https://apiz.ebay.com',
      exchange: async () => {
        const { status, body } = answers.shift()!
        return { status, headers: new Headers(), text: JSON.stringify(body) }
      },
    })
    expect(await oauth.exchangeCode({ code: 'c', redirectUri: '', codeVerifier: null })).toMatchObject({
      access_token: 'v^1.1#i^1#p^3#r^1...XzMjRV4xMjg0',
      refresh_token: 'v^1.1#i^1#p^3#r^1...zYjRV4xMjg0',
      expires_in_seconds: 7_200,
      refresh_expires_in_seconds: 47_304_000,
    })
    expect(await oauth.refresh('r')).toMatchObject({
      access_token: 'v^1.1#i^1#p^3#r^1...XzMjRV4xMjg0',
      refresh_token: null,
      refresh_expires_in_seconds: null,
    })
    await expect(oauth.refresh('r')).rejects.toMatchObject({ failure: 'reconnect', platformCode: 'invalid_grant' })
  })

  it('reads REST and other error shapes', () => {
    const http = (status: number, body: unknown) => ({ status, headers: new Headers(), text: JSON.stringify(body) })
    const unauthorized = http(401, rest('error_401_1001_invalid_token.json'))
    expect(errorOfAnswer('it', unauthorized)).toMatchObject({ failure: 'unauthorized', platformCode: '1001' })
    const shapes = rest('hendt_test_errors.json')
    expect(errorOfAnswer('it', http(400, shapes.restful)).failure).toBe('refused')
    expect(errorOfOAuth('it', http(400, shapes.oauth)).failure).toBe('refused')
    const { Errors } = shapes.traditional
    const wire = TradingAnswer.parse({ Ack: 'Failure', Errors: { ...Errors, ErrorCode: String(Errors.ErrorCode) } })
    expect(errorOfTrading('it', wire.Errors).failure).toBe('unauthorized')
  })
})
