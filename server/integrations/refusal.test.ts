import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Fetch } from '#server/infra/fetch.ts'
import { completeOptions } from '#server/selling/listings/preflight/complete-options.ts'
import { refusals as ebayRefusals } from './ebay/refusals.ts'
import { client as ebayClient, startEbaySandbox } from './ebay/testing/ebay-sandbox.ts'
import { PlatformError } from './errors.ts'
import { refusals as etsyRefusals } from './etsy/refusals.ts'
import { client as etsyClient, startEtsySandbox } from './etsy/testing/etsy-sandbox.ts'
import { plainText } from './http.ts'
import type { PlatformAdapter, PublishRequest, ShopAccess } from './port.ts'
import { readFaults } from './refusal.ts'

/** A failed answer, and what its sentence must say. */
interface Shape {
  name: string
  status: number
  body: string
  says?: string[]
}

const secretToken = 'v^1.1#i^1#r^0#Pretend-To-Be-A-Token-0123456789'

/** Shapes of eBay's REST APIs, OAuth, gateway and Etsy's API, as documents show them. */
function jsonShapes(platform: 'ebay' | 'etsy'): Shape[] {
  const fault = {
    errorId: 25002,
    domain: 'API_INVENTORY',
    category: 'Request',
    message: 'A user error has occurred. The item specific Brand is missing.',
    parameters: [
      { name: '0', value: 'The item specific Brand is missing.' },
      { name: '2', value: 'Brand' },
    ],
  }
  const json = (name: string, status: number, body: unknown, ...says: string[]): Shape => ({
    ...{ name, status, body: JSON.stringify(body), says },
  })
  const ofEbay = [
    json('one error', 400, { errors: [fault] }, 'The item specific Brand is missing.', '25002', 'field Brand'),
    json(
      'an id as a text',
      400,
      { errors: [{ errorId: '25021', longMessage: 'No such condition' }] },
      '25021',
      'No such',
    ),
    json('an id alone', 403, { errors: [{ errorId: 1100 }] }, '1100'),
    json(
      'two errors after a warning',
      400,
      {
        warnings: [{ errorId: 25401, message: 'Options were removed.' }],
        errors: [{ errorId: 25402, severity: 'WARNING', message: 'Never mind.' }, { ...fault, errorId: 25709 }, fault],
      },
      'Brand is missing',
      '25709',
    ),
    json(
      'a single error of another name',
      400,
      { error: [{ errorId: 292024, message: 'Carrier unknown', parameter: [{ name: 'carrier', value: '' }] }] },
      'Carrier unknown.',
      '292024',
    ),
    json(
      'a nested error',
      400,
      { errorMessage: { error: { errorId: 77, message: 'Nested reason' } } },
      'Nested reason.',
      '77',
    ),
    json(
      'a named field',
      400,
      { errors: [{ errorId: 20403, message: 'Invalid', parameters: [{ name: 'fieldName', value: 'marketplaceId' }] }] },
      '20403',
      'field marketplaceId',
    ),
    json(
      'an input reference',
      400,
      { errors: [{ errorId: 25003, message: 'Invalid price.', inputRefIds: ['$.price.value'] }] },
      'field price.value',
    ),
  ]
  const ofEtsy = [
    json(
      'one text',
      400,
      { error: 'There was a problem with /marketplace : Oh dear, you cannot sell this item on Etsy.' },
      'Oh dear',
    ),
    json(
      'a list',
      400,
      [{ path: '/title/1', type: 'invalid_characters', message: 'contains invalid characters' }],
      'title',
      'contains invalid characters',
      'invalid_characters',
    ),
    json(
      'a longer list',
      400,
      [
        { path: '/images', type: 'array_too_short', message: 'cannot be less than 1 items' },
        { path: '/tags/3', type: 'too_long', message: 'is too long' },
      ],
      'images',
      'less than 1',
      'tags',
      'is too long',
    ),
  ]
  return [
    ...(platform === 'ebay' ? ofEbay : ofEtsy),
    json(
      'OAuth',
      400,
      { error: 'invalid_scope', error_description: 'The scope is not granted' },
      'The scope is not granted',
      'invalid_scope',
    ),
    json('a text as JSON', 400, 'Something is wrong here', 'Something is wrong here'),
    json('a repeated token', 400, {
      error: `Invalid token ${secretToken}`,
      errors: [{ errorId: 9, message: `Bearer ${secretToken} is bad` }],
    }),
    json('markup in the words', 400, {
      error: { message: '<b>Title</b> has &lt;script&gt;alert(1)&lt;/script&gt; in it' },
    }),
    json(
      'long words',
      400,
      { errors: [{ errorId: 5, message: 'Very long. '.repeat(900) }], error: undefined },
      'Very long.',
    ),
    json('an empty object', 400, {}),
    json('an empty list', 409, { errors: [] }),
    json('null', 400, null),
    {
      name: 'plain text',
      status: 400,
      body: 'Your request cannot be processed.',
      says: ['Your request cannot be processed.'],
    },
    { name: 'nothing', status: 400, body: '' },
    { name: 'nothing, forbidden', status: 403, body: '' },
    { name: 'nothing, unavailable', status: 503, body: '' },
    { name: 'nothing, limited', status: 429, body: '' },
    {
      name: 'a page',
      status: 400,
      body: '<!DOCTYPE html><html><head><title>400 Bad Request</title></head><body>nginx</body></html>',
    },
    { name: 'a page with success', status: 200, body: '<html><body>Sorry</body></html>' },
    { name: 'half an answer', status: 400, body: '{"errors":[{"errorId":25002,"message":"The item' },
    { name: 'half an answer with success', status: 200, body: '{"listing_id":' },
  ]
}

const xmlOf = (call: string, errors: string, ack = 'Failure') =>
  `<?xml version="1.0" encoding="UTF-8"?><${call}Response xmlns="urn:ebay:apis:eBLBaseComponents"><Ack>${ack}</Ack>${errors}</${call}Response>`
const xmlError = (code: string, long: string, more = '', severity = 'Error') =>
  `<Errors><ShortMessage>Short.</ShortMessage><LongMessage>${long}</LongMessage><ErrorCode>${code}</ErrorCode><SeverityCode>${severity}</SeverityCode>${more}<ErrorClassification>RequestError</ErrorClassification></Errors>`

/** Shapes of the Trading API. They have HTTP 200 unless something before it answers. */
function tradingShapes(call: string): Shape[] {
  const shape = (name: string, errors: string, ...says: string[]) => ({
    name,
    status: 200,
    body: xmlOf(call, errors),
    says,
  })
  return [
    shape('one error', xmlError('240', 'The item cannot be listed.'), 'The item cannot be listed.', '240'),
    shape(
      'a parameter',
      xmlError(
        '21919303',
        'A specific is missing.',
        '<ErrorParameters ParamID="0"><Value>Größe</Value></ErrorParameters>',
      ),
      '21919303',
      'field Größe',
    ),
    shape(
      'errors and warnings',
      `${xmlError('21917121', 'Removed.', '', 'Warning')}${xmlError('87', 'Keine Unterkategorie.')}`,
      'Keine Unterkategorie.',
      '87',
    ),
    shape('a class alone', '<Errors><ErrorClassification>RequestError</ErrorClassification></Errors>'),
    shape('a repeated token', xmlError('931', `The token ${secretToken} is bad`)),
    shape('markup', xmlError('240', 'Take &lt;a href=&quot;x&quot;&gt;this&lt;/a&gt; out.'), 'this', '240'),
    { name: 'a failure without errors', status: 200, body: xmlOf(call, '') },
    { name: 'half an answer', status: 200, body: xmlOf(call, xmlError('240', 'Half')).slice(0, 160) },
    { name: 'a page', status: 502, body: '<html><body><h1>502 Bad Gateway</h1></body></html>' },
    { name: 'nothing', status: 400, body: '' },
    { name: 'plain text', status: 400, body: 'Bad call name.', says: ['Bad call name.'] },
    {
      name: 'JSON of the gateway',
      status: 401,
      body: '{"errors":[{"errorId":1001,"message":"Invalid access token"}]}',
      says: ['Invalid access token', '1001'],
    },
  ]
}

/** Lets requests through until `skip` are answered, then answers with the shape that `choose` gives. */
let fault: { skip: number; choose: (url: string, call: string | null) => Shape; used: Shape | null } | null = null
const faultyFetch: Fetch = async (url, init) => {
  if (!fault || fault.skip-- > 0) return fetch(url, init)
  const shape = fault.choose(String(url), new Headers(init?.headers).get('x-ebay-api-call-name'))
  fault.used = shape
  return new Response(shape.body, { status: shape.status, headers: { 'content-type': 'text/html' } })
}

type Calls = Record<string, () => Promise<unknown>>
let made = 0
const address = {
  full_name: 'Theo',
  line1: '1 Quay Street',
  city: 'Portland',
  region: 'ME',
  postal_code: '04101',
  country: 'US',
}
const noStep = async () => {}

function requestOf(images: string[], given: Partial<PublishRequest>): PublishRequest {
  made++
  return {
    externalKey: `RE-${made}-abcdefghijklm`,
    ...{ sku: `RE ${made}`, title: `Canon AE-1 Film Camera Black #${made}`, description: 'Shutter fires.' },
    ...{
      price_minor: 12_550,
      currency: 'USD',
      images,
      condition: { label: 'Used', notes: '' },
      attributes: { brand: 'Canon' },
    },
    ...{ address, options: {}, ...given },
  }
}

async function callsOf(
  adapter: PlatformAdapter,
  access: ShopAccess,
  item: () => PublishRequest,
  foreign: string,
): Promise<Calls> {
  const port = adapter.listings!
  const { options } = completeOptions({}, {}, await port.choices(access, item()))
  const first = { ...item(), options }
  const own = { listing_id: (await port.publish(access, first, noStep)).listing_id, externalKey: first.externalKey }
  const other = { listing_id: foreign, externalKey: null }
  const price = { price_minor: 9_900, currency: 'USD' }
  const content = { fields: ['title', 'description', 'images'] as const, price: null, ...item() }
  const states = adapter.imports.states
  const notices = {
    endpoint: 'https://hapax.example/webhooks/ebay/',
    verificationToken: 'x'.repeat(40),
    alertEmail: 'a@b.example',
  }
  return {
    publish: () => port.publish(access, { ...item(), options }, noStep),
    choices: () => port.choices(access, item()),
    'choices of the shop': () => port.shopChoices(access, { country: 'US', marketplace_id: null }),
    categories: () => port.searchCategories(access, { words: 'camera', country: 'US', marketplace_id: null }),
    'own price': () => port.changePrice(access, { ...own, ...price }),
    'other price': () => port.changePrice(access, { ...other, ...price }),
    'own content': () => port.updateContent(access, own, content),
    'other content': () => port.updateContent(access, other, content),
    'own state': () => port.readState(access, own.listing_id),
    'earlier attempt': () => port.findPublished(access, own.externalKey),
    listings: () => adapter.imports.readPage(access, { states, cursor: null }),
    listing: () => adapter.imports.readOne(access, own.listing_id),
    'live ids': async () => adapter.imports.readLiveIds?.(access, null),
    'unpaid ids': async () => adapter.imports.readUnpaidIds?.(access),
    orders: () => adapter.orders!.readChanged(access, { modifiedSince: '2026-01-01T00:00:00Z', cursor: null }),
    order: () => adapter.orders!.readOrder(access, '12-34567-89012'),
    subscription: async () => adapter.notices?.ensure(access, notices),
    'the token of a code': () =>
      adapter.oauth.exchangeCode({
        code: 'a-secret-code',
        redirectUri: 'https://a.example',
        codeVerifier: 'a-secret-verifier',
      }),
    'a new token': () => adapter.oauth.refresh('a-secret-refresh-token'),
    'who it is': () => adapter.oauth.identify(access.accessToken),
    'end of own': () => port.withdraw(access, own),
    'end of other': () => port.withdraw(access, other),
  }
}

const subjects = {
  async ebay() {
    const { sandbox, url, adapter, accessOf } = await startEbaySandbox({}, { fetch: faultyFetch })
    const [other] = sandbox.market
      .itemsOf('camera_carl')
      .filter((item) => item.status === 'Active' && item.listingType !== 'Chinese')
    const item = () => requestOf([`${url}/images/1.png`], {})
    const access = accessOf('camera_carl')
    return {
      sandbox,
      access,
      calls: await callsOf(adapter, access, item, other!.itemId),
      clientSecret: ebayClient.clientSecret,
    }
  },
  async etsy() {
    const { drawPicture } = await import('#server/sandbox/kit/picture.ts')
    const fetchPicture = async () => ({ bytes: await drawPicture('a', 1, 'a'), type: 'image/png' as const })
    const { sandbox, adapter, accessOf } = await startEtsySandbox({}, { fetch: faultyFetch, fetchPicture })
    const shop = sandbox.market.shopNamed('VintageVeraShop')!
    const [other] = sandbox.market
      .listingsOf(shop.shopId)
      .filter(({ state, products }) => state === 'active' && products.length === 1)
    const access = accessOf('VintageVeraShop')
    const item = () =>
      requestOf(['https://a.example/1.png'], {
        title: `1970s Tea Dress #${made}`,
        attributes: { category: "Clothing, Shoes & Accessories:Women's Clothing:Dresses" },
      })
    return {
      sandbox,
      access,
      calls: await callsOf(adapter, access, item, String(other!.listingId)),
      clientSecret: etsyClient.clientSecret,
    }
  },
}

/** Returns what is wrong with the sentence of an error. */
function flawsOf(error: PlatformError, shape: Shape, secrets: readonly string[]): string[] {
  const { message } = error
  // These say in our words what helps.
  const isTold = error.failure !== 'malformed'
  return [
    ...(/https?[ _]?\d{3}|\b[1-5]\d\d (?:bad|error)/i.test(message) ? ['shows a status'] : []),
    ...(/<[a-z/!]|&lt;|alert\(/i.test(message) ? ['shows markup'] : []),
    ...(message.length > 1_300 ? ['is too long'] : []),
    ...(/^(?:eBay|\p{Lu}).*[.)]$/u.test(message) ? [] : ['is no sentence']),
    ...(/\n/.test(message) ? ['has several lines'] : []),
    ...secrets.filter((secret) => message.includes(secret)).map(() => 'shows a secret'),
    ...(isTold
      ? (shape.says ?? []).filter((words) => !message.includes(words)).map((words) => `lacks "${words}"`)
      : []),
  ].map((flaw) => `${flaw}: ${message}`)
}

for (const platform of ['ebay', 'etsy'] as const) {
  describe(`refusals of ${platform}`, () => {
    let subject: Awaited<ReturnType<(typeof subjects)[typeof platform]>>
    beforeAll(async () => {
      subject = await subjects[platform]()
    })
    afterAll(() => subject?.sandbox.close())

    it('are sentences, whatever the shape, at every step of every call', async () => {
      const { access, calls, clientSecret } = subject
      const secrets = [
        access.accessToken,
        clientSecret,
        secretToken,
        'a-secret-code',
        'a-secret-verifier',
        'a-secret-refresh-token',
      ]
      const flaws: string[] = []
      const fed = new Set<string>()
      const count = Math.max(jsonShapes(platform).length, tradingShapes('x').length)
      const choose = (index: number) => (_url: string, call: string | null) => {
        const shapes = call === null ? jsonShapes(platform) : tradingShapes(call)
        // A platform may repeat what it was sent.
        const shape = shapes[index % shapes.length]!
        return shape.name === 'a repeated token'
          ? { ...shape, body: shape.body.replaceAll('Pretend', JSON.stringify(access.accessToken).slice(1, -1)) }
          : shape
      }
      for (const [name, call] of Object.entries(calls)) {
        for (let step = 0; step < 12; step++) {
          let wasFed = false
          for (let index = 0; index < count; index++) {
            fault = { skip: step, choose: choose(index), used: null }
            const outcome = await call().catch((error: unknown) => error)
            const { used } = fault
            fault = null
            if (!used) break
            wasFed = true
            fed.add(name)
            if (outcome instanceof PlatformError) {
              flaws.push(
                ...flawsOf(outcome, used, secrets).map((flaw) => `${name}, step ${step}, ${used.name}: ${flaw}`),
              )
            } else if (outcome instanceof Error) flaws.push(`${name}, step ${step}, ${used.name}: throws ${outcome}`)
          }
          if (!wasFed) break
        }
      }
      expect(flaws.slice(0, 20), `${flaws.length} flaws`).toEqual([])
      expect(fed.size).toBeGreaterThan(15)
    })
  })
}

describe('the words of a refusal', () => {
  it('have no page, no markup, no token and no query', () => {
    expect(plainText('<!DOCTYPE html><p>Sorry')).toBe('')
    expect(plainText('The &amp;lt;b&amp;gt;title &amp; text<br>is bad')).toBe(
      'The <b>title & text is bad'.replace('<b>', '&lt;b&gt;'),
    )
    expect(plainText('Get it at https://a.example/x?token=1 now')).toBe('Get it at https://a.example/x now')
    expect(plainText(`Bearer abc and ${'a1'.repeat(30)}`)).toBe('Bearer … and …')
  })

  it('come from an answer of at most three reasons', () => {
    const many = JSON.stringify({ errors: [1, 2, 3, 4].map((id) => ({ errorId: id, message: `Reason ${id}` })) })
    expect(readFaults(many).map(({ code }) => code)).toEqual(['1', '2', '3', '4'])
    expect(readFaults('')).toEqual([])
  })
})

describe('the tables of refusals', () => {
  it('have each code of eBay once, and advice that is a sentence', () => {
    const codes = ebayRefusals.flatMap((row) => row.codes.map((code) => `${row.api} ${code}`))
    expect(codes.filter((code, index) => codes.indexOf(code) !== index)).toEqual([])
    expect([...ebayRefusals, ...etsyRefusals].filter(({ help }) => !/^(eBay|\p{Lu}).*\.$/u.test(help))).toEqual([])
  })
})
