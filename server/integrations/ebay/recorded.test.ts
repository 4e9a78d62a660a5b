import { readFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { ListingPort, ShopAccess } from '../port.ts'
import { createEbayAdapter } from './index.ts'
import { client } from './testing/ebay-sandbox.ts'

/*
 * Exchanges recorded from eBay, with headers, replayed to the adapter. Each file names its source; names and ids are
 * made up.
 */
interface Recorded {
  call: string
  response: { status: number; headers: Record<string, string>; body: string }
}

const recorded = (name: string): Recorded =>
  JSON.parse(readFileSync(new URL(`./fixtures/recorded/${name}.json`, import.meta.url), 'utf8'))

/** Returns a recorded answer as the answer to another call. */
const as = (call: string, { response, ...rest }: Recorded): Recorded => ({
  call,
  response: { ...response, body: response.body.replaceAll(`${rest.call}Response`, `${call}Response`) },
})

const fixture = (name: string): Recorded => ({
  call: 'GetItem',
  response: {
    status: 200,
    headers: { 'content-type': 'text/xml' },
    body: readFileSync(new URL(`./fixtures/${name}.xml`, import.meta.url), 'utf8'),
  },
})

let server: Server
let port: ListingPort
let access: ShopAccess
/** The next answers, in order. */
let script: Recorded[]
let calls: string[]
beforeEach(async () => {
  script = []
  calls = []
  server = createServer((request, response) => {
    const call = String(request.headers['x-ebay-api-call-name'] ?? `${request.method} ${request.url}`)
    calls.push(call)
    const next = script.shift()
    if (!next) return void response.writeHead(599).end()
    response.writeHead(next.response.status, next.response.headers).end(next.response.body)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const config = {
    EBAY_CLIENT_ID: client.clientId,
    EBAY_CLIENT_SECRET: client.clientSecret,
    EBAY_RU_NAME: client.ruName,
    EBAY_AUTH_URL: url,
    EBAY_API_URL: url,
    EBAY_APIZ_URL: url,
  }
  port = createEbayAdapter({ config, fetch }).listings!
  access = { accessToken: 'a-token', shop: { external_id: 'mia', external_name: 'mia', url: `${url}/usr/mia` } }
})
afterEach(() => new Promise((resolve) => server.close(resolve)))

const listing = { listing_id: '110000000001', externalKey: null }

describe('ending a listing, as recorded', () => {
  it('needs one call', async () => {
    script = [recorded('end-fixed-price-item')]
    await port.withdraw(access, listing)
    expect(calls).toEqual(['EndFixedPriceItem'])
  })

  it('succeeds if eBay no longer knows the listing', async () => {
    script = [recorded('end-fixed-price-item-gone'), as('GetItem', recorded('end-item-gone'))]
    await port.withdraw(access, listing)
    expect(calls).toEqual(['EndFixedPriceItem', 'GetItem'])
  })

  it('succeeds if the auction ends meanwhile', async () => {
    script = [
      recorded('end-fixed-price-item-gone'),
      fixture('get-item-auction'),
      recorded('end-item-gone'),
      as('GetItem', recorded('end-item-gone')),
    ]
    await port.withdraw(access, listing)
    expect(calls).toEqual(['EndFixedPriceItem', 'GetItem', 'EndItem', 'GetItem'])
  })

  it('fails if eBay still shows the listing', async () => {
    script = [
      recorded('end-fixed-price-item-gone'),
      fixture('get-item-auction'),
      recorded('end-item-gone'),
      fixture('get-item-auction'),
    ]
    await expect(port.withdraw(access, listing)).rejects.toMatchObject({ failure: 'not_found', platformCode: '17' })
  })
})

describe('a new price, as recorded', () => {
  const price = { ...listing, terms: { site: 'Germany' }, price_minor: 5_000, currency: 'EUR' }

  it('accepts blanks between the elements of the answer', async () => {
    script = [fixture('get-item-fixed-price'), recorded('revise-fixed-price-item')]
    await port.changePrice(access, price)
    expect(calls).toEqual(['GetItem', 'ReviseFixedPriceItem'])
  })

  it('reports a suspended account in the site’s language', async () => {
    script = [fixture('get-item-fixed-price'), recorded('revise-fixed-price-item-suspended')]
    await expect(port.changePrice(access, price)).rejects.toMatchObject({
      failure: 'refused',
      platformCode: '841',
      message: expect.stringContaining('Das eBay-Konto für den in dieser Anfrage angegebenen Nutzernamen'),
    })
  })
})
