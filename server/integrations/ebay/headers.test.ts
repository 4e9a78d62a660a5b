import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { EbaySandbox } from '#server/sandbox/ebay/index.ts'
import { completeOptions } from '#server/selling/listings/preflight/complete-options.ts'
import type { ListingPort, PublishRequest, ShopAccess } from '../port.ts'
import { createPushKeys } from './push/push-keys.ts'
import { client, type RunningEbaySandbox, startEbaySandbox } from './testing/ebay-sandbox.ts'

let running: RunningEbaySandbox
let sandbox: EbaySandbox
let access: ShopAccess
let port: ListingPort
beforeAll(async () => {
  running = await startEbaySandbox({ usual: false, sellers: [{ username: 'tongue_tina', items: [] }] })
  sandbox = running.sandbox
  access = running.accessOf('tongue_tina')
  port = running.adapter.listings!
})
afterAll(() => sandbox?.close())
beforeEach(() => void sandbox.requests.splice(0))

const item: PublishRequest = {
  externalKey: 'LANG-1-abcdefghijklm',
  sku: null,
  title: 'Canon AE-1 Film Camera',
  description: 'Works.',
  price_minor: 9_900,
  currency: 'USD',
  images: ['https://pictures.example.com/1.jpg'],
  condition: { label: 'Used', notes: '' },
  attributes: { brand: 'Canon' },
  address: { full_name: 'Tina', line1: '1 Quay', city: 'Portland', region: 'ME', postal_code: '04101', country: 'US' },
  options: {},
}

/** Returns the language headers of each REST request, as received. */
function sentLanguages(): { call: string; accept: string[]; content: string[] }[] {
  return sandbox.requests
    .filter(({ url }) => /^\/(sell|commerce)\//.test(url))
    .map(({ method, url, rawHeaders }) => {
      const named = (name: string) =>
        rawHeaders.filter((_, index) => index % 2 === 1 && rawHeaders[index - 1]?.toLowerCase() === name)
      return {
        call: `${method} ${url.split('?')[0]}`,
        accept: named('accept-language'),
        content: named('content-language'),
      }
    })
}

describe('language headers of requests to eBay', () => {
  it('sends the language of the US site with every request', async () => {
    const { options } = completeOptions({}, {}, await port.choices(access, item))
    const { listing_id } = await port.publish(access, { ...item, options }, async () => {})
    const listing = { listing_id, externalKey: item.externalKey }
    await port.findPublished(access, item.externalKey)
    await port.changePrice(access, { ...listing, price_minor: 8_000, currency: 'USD' })
    await port.withdraw(access, listing)
    await running.adapter.orders!.readChanged(access, {
      modifiedSince: new Date(Date.now() - 60_000).toISOString(),
      cursor: null,
    })
    await running.adapter.oauth.identify(access.accessToken)
    const sent = sentLanguages()
    expect(sent.length).toBeGreaterThan(8)
    expect(sent.filter(({ accept, content }) => accept.join() !== 'en-US' || content.join() !== 'en-US')).toEqual([])
  })

  it.each([
    ['EBAY_DE', 'de-DE'],
    ['EBAY_GB', 'en-GB'],
    ['EBAY_FR', 'fr-FR'],
    ['EBAY_AT', 'de-AT'],
  ])('sends the language of %s as %s', async (marketplace_id, language) => {
    await port.choices(access, { ...item, options: { marketplace_id } })
    await port.shopChoices(access, { country: 'US', marketplace_id })
    const sent = sentLanguages().filter(({ call }) => !call.includes('/ws/api.dll'))
    expect(sent.length).toBeGreaterThan(3)
    expect(sent.filter(({ accept, content }) => accept.join() !== language || content.join() !== language)).toEqual([])
  })

  it('sends a language when it fetches a push key', async () => {
    const keyOf = createPushKeys({
      ...client,
      apiUrl: running.url,
      fetch,
      clock: () => 0,
      store: { readAll: async () => [], store: async () => {}, delete: async () => {} },
    })
    expect(await keyOf('unknown-key', '192.0.2.1')).toBeNull()
    expect(sentLanguages()).toMatchObject([{ accept: ['en-US'], content: ['en-US'] }])
  })
})
