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
 * Answers of eBay that are shaped like recorded ones, read by the product's own code. `<name>.expected.json` has the
 * whole reading of `<name>.xml`.
 */
const folder = new URL('./fixtures/captured/', import.meta.url)
const trading = (name: string) => readFileSync(new URL(`${name}.xml`, folder), 'utf8')
const json = (name: string) => JSON.parse(readFileSync(new URL(`${name}.json`, folder), 'utf8'))
const ok = (text: string) => ({ status: 200, headers: new Headers(), text })

type Result = Listing | ListingFailure

const oneItem = (name: string, list: SellingList | null = null): Result =>
  normalizeItem(GetItemAnswer.parse(readAnswer('GetItem', ok(trading(name)))).Item, { list })

const sellerList = (name: string) => GetSellerListAnswer.parse(readAnswer('GetSellerList', ok(trading(name))))

const sellerItems = (name: string): Result[] =>
  (sellerList(name).ItemArray?.Item ?? []).map((item) => normalizeItem(item, { list: null }))

function myEbay(name: string, list: SellingList): Result[] {
  const answer = GetMyeBaySellingAnswer.parse(readAnswer('GetMyeBaySelling', ok(trading(name))))
  return entriesOf(answer, list).map((item) => normalizeItem(item, { list }))
}

describe('answers shaped like recorded ones of eBay', () => {
  it.each<[string, () => Result[]]>([
    ['get-item', () => [oneItem('get-item')]],
    ['get-item-without-status', () => [oneItem('get-item-without-status', 'ActiveList')]],
    ['get-seller-list', () => sellerItems('get-seller-list')],
    ['get-seller-list-statuses', () => sellerItems('get-seller-list-statuses')],
    ['get-seller-list-ids-only', () => sellerItems('get-seller-list-ids-only')],
    ['selling-active-auctions', () => myEbay('selling-active-auctions', 'ActiveList')],
    ['selling-active-one', () => myEbay('selling-active-one', 'ActiveList')],
    ['selling-sold-one', () => myEbay('selling-sold-one', 'SoldList')],
    ['selling-sold-empty', () => myEbay('selling-sold-empty', 'SoldList')],
  ])('%s: exactly the expected listings and failures', (name, read) => {
    // Undefined members are absent, as in the reading that is stored.
    expect(JSON.parse(JSON.stringify(read()))).toEqual(json(`${name}.expected`))
  })

  it('reads the number of pages, whether or not more follow', () => {
    expect(sellerList('get-seller-list').PaginationResult).toEqual({
      TotalNumberOfPages: '1',
      TotalNumberOfEntries: '5',
    })
    expect(sellerList('get-seller-list-ids-only')).toMatchObject({
      HasMoreItems: 'true',
      PaginationResult: { TotalNumberOfPages: '4' },
    })
  })

  it('refuses an item without a ListingStatus, unless its list says it', () => {
    expect(oneItem('get-item-without-status')).toMatchObject({
      listing_id: '506686202309',
      error_code: 'page_changed',
      field: 'SellingStatus/ListingStatus',
    })
  })

  it.each([
    ['failure-token', 'GeteBayOfficialTime', 'unauthorized', '931'],
    ['failure-item-gone', 'EndFixedPriceItem', 'not_found', '17'],
    ['failure-markup', 'AddItem', 'refused', '240'],
    ['failure-no-picture', 'AddFixedPriceItem', 'refused', '21919136'],
    ['failure-without-text', 'GeteBayOfficialTime', 'unavailable', 'SystemError'],
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

  it('shows the reason that eBay writes for sellers beside its general words', () => {
    const read = () => readAnswer('AddFixedPriceItem', ok(trading('failure-markup')))
    expect(read).toThrow(/verstößt gegen eine Regel\. Thistle! Mill Löffel gable sage/)
  })

  it('parses every answer with its Ack', () => {
    const names = readdirSync(folder).filter((name) => name.endsWith('.xml'))
    expect(names.length).toBeGreaterThan(25)
    for (const name of names) {
      const [root] = Object.values(parseXml(trading(name.replace(/\.xml$/, ''))))
      const { Ack } = TradingAnswer.parse(root)
      const expected = name.startsWith('failure-') ? 'Failure' : name.endsWith('-warning.xml') ? 'Warning' : 'Success'
      expect(Ack, name).toBe(expected)
    }
  })

  it('reads OAuth tokens, refreshes and a lost grant', async () => {
    const answers = [
      { status: 200, body: json('oauth-tokens') },
      { status: 200, body: json('oauth-refresh') },
      { status: 400, body: json('oauth-invalid-grant') },
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
      access_token: 'v^1.1#i^1#p^3#r^1...MadeUpAccess==',
      refresh_token: 'v^1.1#i^1#p^3#r^1...MadeUpRefresh==',
      expires_in_seconds: 7_200,
      refresh_expires_in_seconds: 47_304_000,
    })
    expect(await oauth.refresh('r')).toMatchObject({
      access_token: 'v^1.1#i^1#p^3#r^1...MadeUpAccess==',
      refresh_token: null,
      refresh_expires_in_seconds: null,
    })
    await expect(oauth.refresh('r')).rejects.toMatchObject({ failure: 'reconnect', platformCode: 'invalid_grant' })
  })

  it('reads REST and other error shapes', () => {
    const http = (status: number, body: unknown) => ({ status, headers: new Headers(), text: JSON.stringify(body) })
    const unauthorized = http(401, json('rest-invalid-token'))
    expect(errorOfAnswer('it', unauthorized)).toMatchObject({ failure: 'unauthorized', platformCode: '1001' })
    const shapes = json('error-shapes')
    expect(errorOfAnswer('it', http(400, shapes.restful)).failure).toBe('refused')
    expect(errorOfOAuth('it', http(400, shapes.oauth)).failure).toBe('refused')
    const { Errors } = shapes.traditional
    const wire = TradingAnswer.parse({ Ack: 'Failure', Errors: { ...Errors, ErrorCode: String(Errors.ErrorCode) } })
    expect(errorOfTrading('it', wire.Errors).failure).toBe('unauthorized')
  })
})
