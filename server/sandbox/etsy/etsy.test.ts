import { createHash, randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { load } from 'cheerio'
import { afterEach, describe, expect, it } from 'vitest'
import { until } from '#e2e/harness/until.ts'
import { client, type RunningEtsySandbox, startEtsySandbox } from '#server/integrations/etsy/testing/etsy-sandbox.ts'
import { createMarket as createEbayWorld } from '../ebay/market.ts'
import { drawPicture } from '../kit/picture.ts'
import { consentAs } from '../testing/consent-on-etsy.ts'
import { edgeCases } from './edge-cases.ts'
import { plainProduct, unitsLeft } from './listing.ts'
import { generateShop } from './shop.ts'

const closing: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
})
async function start(...options: Parameters<typeof startEtsySandbox>): Promise<RunningEtsySandbox> {
  const running = await startEtsySandbox(...options)
  closing.push(() => running.sandbox.close())
  return running
}

const verasId = 31_000_001
const key = { 'x-api-key': `${client.clientId}:${client.clientSecret}` }
async function get(running: RunningEtsySandbox, path: string, headers: Record<string, string> = {}) {
  const authorization = `Bearer ${running.sandbox.grant('VintageVeraShop').access_token}`
  const response = await fetch(`${running.url}/v3/application${path}`, {
    headers: { ...key, authorization, ...headers },
  })
  return { status: response.status, headers: response.headers, body: await response.json() }
}

describe('the market of the sandbox Etsy', () => {
  it('is the same at every start', async () => {
    const [one, two] = [await start(), await start()]
    const counts = ['VintageVeraShop', 'KyotoKanaCrafts', 'EmptyEveShop'].map(
      (name) => one.sandbox.market.listingsOf(one.sandbox.market.shopNamed(name)!.shopId).length,
    )
    expect(counts).toEqual([181, 12, 0])
    expect(one.sandbox.market.listingsOf(verasId)).toEqual(two.sandbox.market.listingsOf(verasId))
  })

  it('writes as a seller in the US does', async () => {
    const { market } = (await start()).sandbox
    for (const { title, description } of market.listingsOf(verasId)) {
      const unlikely = /colour|favourite|exists once|\bNo \d$|Draft|Resting|Expired|#\d{3}|size one size/i
      expect(`${title} ${description.slice(0, 500)}`).not.toMatch(unlikely)
    }
  })

  it('shares 112 items with the sandbox eBay, in other words', async () => {
    const { sandbox, url } = await start()
    const onEbay = createEbayWorld({ clock: () => new Date() })
    const twins = sandbox.market.twins()
    expect(twins).toHaveLength(112)
    const skus = new Set(onEbay.itemsOf('vintage_vera').map(({ sku }) => sku))
    let equallyPriced = 0
    for (const [listingId, itemId] of twins) {
      const { listing } = sandbox.market.find(listingId)!
      const { item } = onEbay.find(itemId)!
      expect(listing.title).not.toBe(item.title)
      expect(listing.title.length).toBeLessThanOrEqual(140)
      expect(listing.products.some(({ sku }) => skus.has(sku))).toBe(false)
      const ratio = listing.products[0]!.amount / (Number(item.price) * 100)
      expect(ratio).toBeGreaterThan(0.9)
      expect(ratio).toBeLessThan(1.2)
      if (ratio === 1) equallyPriced++
    }
    expect(equallyPriced).toBeGreaterThan(20)
    const [listingId, itemId] = twins[0]!
    const picture = await fetch(`${url}/image/${listingId}/il_fullxfull.1.png`)
    expect(picture.headers.get('content-type')).toBe('image/png')
    expect(Buffer.from(await picture.arrayBuffer())).toEqual(
      await drawPicture(itemId, 1, onEbay.find(itemId)!.item.title),
    )
  })

  it('prices Kana’s items in yen with divisor 1', async () => {
    const running = await start()
    const { body } = await get(running, '/listings/1630000000?includes=Images')
    expect(body.price).toMatchObject({ divisor: 1, currency_code: 'JPY' })
  })

  it('generates ten thousand listings', () => {
    const listings = generateShop({ count: 10_000 })
    expect(new Set(listings.map(({ listingId }) => listingId)).size).toBe(10_000)
    expect(new Set(listings.map(({ title }) => title)).size).toBe(10_000)
  })

  it('marks a listing sold out when no unit is left', async () => {
    const { market } = (await start()).sandbox
    expect(market.sell(edgeCases.quantityThree, 2)).toMatchObject({ state: 'active' })
    expect(unitsLeft(market.sell(edgeCases.quantityThree))).toBe(0)
    expect(market.find(edgeCases.quantityThree)?.listing.state).toBe('sold_out')
    expect(() => market.sell(edgeCases.quantityThree)).toThrow('fewer')
  })
})

describe('consent at the sandbox Etsy', () => {
  const verifier = 'v'.repeat(43)
  const code_challenge = createHash('sha256').update(verifier).digest('base64url')
  const right = {
    response_type: 'code',
    client_id: client.clientId,
    redirect_uri: client.redirectUris[0]!,
    scope: 'listings_r shops_r',
    state: 'state "quoted" & <tagged>',
    code_challenge,
    code_challenge_method: 'S256',
  }
  const urlOf = (url: string, fields: Record<string, string>) =>
    `${url}/oauth/connect?${new URLSearchParams({ ...right, ...fields })}`
  const exchange = (url: string, form: Record<string, string>) =>
    fetch(`${url}/v3/public/oauth/token`, {
      method: 'POST',
      body: new URLSearchParams({
        grant_type: 'authorization_code',
        client_id: client.clientId,
        redirect_uri: right.redirect_uri,
        code_verifier: verifier,
        ...form,
      }),
    })
  const codeOf = async (url: string) =>
    new URL(await consentAs(urlOf(url, {}), 'VintageVeraShop')).searchParams.get('code')!

  it('works without scripts, with every account in the form', async () => {
    const { url } = await start()
    const page = load(await (await fetch(urlOf(url, {}))).text())
    expect(page('script')).toHaveLength(0)
    expect(page('form[method=post] input[type=radio][name=user]')).toHaveLength(6)
    expect(page('label').text()).toContain('VintageVeraShop')
    const back = new URL(await consentAs(urlOf(url, {}), 'KyotoKanaCrafts'))
    expect(back.searchParams.get('state')).toBe(right.state)
  })

  it.each([
    ['response_type', 'token'],
    ['client_id', 'another'],
    ['redirect_uri', 'https://evil.example/callback'],
    ['scope', 'listings_r everything'],
    ['state', ''],
    ['code_challenge', 'short'],
    ['code_challenge_method', 'plain'],
  ])('shows the error and redirects nowhere when %s is "%s"', async (field, value) => {
    const { url } = await start()
    const response = await fetch(urlOf(url, { [field]: value }), { redirect: 'manual' })
    expect(response.status).toBe(400)
    expect(response.headers.has('location')).toBe(false)
    const posted = await fetch(`${url}/oauth/connect`, {
      method: 'POST',
      body: new URLSearchParams({ ...right, [field]: value, user: '88000001', decision: 'agree' }),
      redirect: 'manual',
    })
    expect(posted.status).toBe(400)
  })

  it('issues tokens only for the right verifier, and only once', async () => {
    const { url } = await start()
    const wrong = await exchange(url, { code: await codeOf(url), code_verifier: 'w'.repeat(43) })
    expect([wrong.status, (await wrong.json()).error]).toEqual([400, 'invalid_grant'])
    const code = await codeOf(url)
    const tokens = await (await exchange(url, { code })).json()
    expect(tokens).toMatchObject({ token_type: 'Bearer', expires_in: 3600 })
    expect(tokens.access_token).toMatch(/^88000001\.\S{40,}$/)
    expect((await exchange(url, { code })).status).toBe(400)
  })

  it.each<Record<string, string>>([
    { client_secret: 'x' },
    { client_id: 'another' },
    { redirect_uri: 'https://another.example' },
    { code_verifier: 'short' },
    { grant_type: 'password' },
  ])('refuses tokens for %o', async (form) => {
    const { url } = await start()
    expect((await exchange(url, { code: await codeOf(url), ...form })).status).toBe(400)
  })
})

describe('the sandbox Etsy’s API', () => {
  it('requires the key with its secret on every call', async () => {
    const running = await start()
    expect((await get(running, '/openapi-ping')).status).toBe(200)
    for (const wrong of ['', client.clientId, `${client.clientId}:other`]) {
      expect((await get(running, '/openapi-ping', { 'x-api-key': wrong })).status).toBe(403)
    }
  })

  it('answers 401, 403 and 404 for scope, owner and absence', async () => {
    const running = await start()
    const weak = { authorization: `Bearer ${running.sandbox.grant('VintageVeraShop', ['shops_r']).access_token}` }
    expect(await get(running, '/shops/31000001/listings', weak)).toMatchObject({
      status: 401,
      body: { error: 'Access token is required for this request (requires scope: listings_r).' },
    })
    expect((await get(running, '/shops/31000001/listings', { authorization: 'Bearer 1.made-up' })).body).toMatchObject({
      error: 'invalid_token',
    })
    expect((await get(running, '/shops/31000002/listings')).status).toBe(403)
    expect((await get(running, '/shops/7')).status).toBe(404)
    expect((await get(running, '/listings/7')).status).toBe(404)
  })

  it('pages by 25, 100 at most, newest first, with the full count', async () => {
    const running = await start()
    const plain = (await get(running, '/shops/31000001/listings')).body
    expect(plain.results).toHaveLength(25)
    const times = plain.results.map((listing: { created_timestamp: number }) => listing.created_timestamp)
    expect(times).toEqual([...times].sort((a, b) => b - a))
    const second = (await get(running, '/shops/31000001/listings?limit=100&offset=100')).body
    expect(second.count).toBe(plain.count)
    expect(second.results).toHaveLength(plain.count - 100)
  })

  it.each([
    'limit=0',
    'limit=101',
    'limit=x',
    'offset=-1',
    'state=sold',
    'includes=Pictures',
    'includes=Inventory',
    'legacy=false',
    'page=2',
  ])('refuses ?%s', async (query) => {
    const running = await start()
    expect((await get(running, `/shops/31000001/listings?${query}`)).status).toBe(400)
  })

  it('escapes text and includes only what was asked for', async () => {
    const running = await start()
    const { body } = await get(running, `/listings/${edgeCases.entities}`)
    expect(body.title).toBe('Dad&#39;s &quot;Best &amp; Oldest&quot; Pipe Rack, 5 &gt; 4 pipes')
    expect([body.images, body.inventory]).toEqual([null, null])
    const repeated = await get(running, `/listings/${edgeCases.entities}?includes=Images&includes=Shop`)
    expect([repeated.body.images, repeated.body.shop.shop_id]).toEqual([null, 31_000_001])
  })

  it('shows SKUs and hidden listings to the owner only', async () => {
    const running = await start()
    const kana = { authorization: `Bearer ${running.sandbox.grant('KyotoKanaCrafts').access_token}` }
    const path = `/listings/${edgeCases.divisorOne}`
    expect((await get(running, path)).body.skus).toHaveLength(1)
    const others = (await get(running, path, kana)).body
    const batch = await get(running, `/listings/batch/inventory?listing_ids=${edgeCases.divisorOne}`, kana)
    expect([others.skus, batch.body.results[0].inventory.products[0].sku]).toEqual([[], ''])
    expect((await get(running, `/listings/${edgeCases.drafts[0]}`, kana)).status).toBe(404)
  })

  it('answers 404 for a batch with one dead id', async () => {
    const running = await start()
    expect(await get(running, `/listings/batch?listing_ids=${edgeCases.emoji},13`)).toMatchObject({
      status: 404,
      body: { error: 'Not all requested listings exist. Missing listing_ids: 13.' },
    })
  })
})

describe('the sandbox Etsy’s limits', () => {
  it('allow ten calls a second and set Retry-After', async () => {
    let now = Date.UTC(2026, 0, 1)
    const running = await start({ limits: undefined, clock: () => new Date(now) })
    const authorization = `Bearer ${running.sandbox.grant('VintageVeraShop').access_token}`
    const ping = () => get(running, '/openapi-ping', { authorization })
    for (let each = 0; each < 10; each++) expect((await ping()).status).toBe(200)
    const refused = await ping()
    expect(refused.status).toBe(429)
    expect(Object.fromEntries(refused.headers)).toMatchObject({
      'retry-after': '1',
      'x-limit-per-second': '10',
      'x-remaining-this-second': '0',
      'x-limit-per-day': '10000',
      'x-remaining-today': '9990',
    })
    now += 1_000
    expect((await ping()).status).toBe(200)
  })

  it('count the calls of any 24 hours', async () => {
    let now = Date.UTC(2026, 0, 1)
    const running = await start({ limits: { perSecond: 100, perDay: 3 }, clock: () => new Date(now) })
    const ping = async () => (await get(running, '/openapi-ping', { authorization: '' })).status
    expect([await ping(), await ping(), await ping(), await ping()]).toEqual([200, 200, 200, 429])
    now += 23 * 3_600_000
    expect(await ping()).toBe(429)
    now += 3_600_000
    expect(await ping()).toBe(200)
  })

  it('do not count tokens, pages and pictures', async () => {
    const running = await start({ limits: { perSecond: 1, perDay: 1 } })
    for (const path of ['/', '/shop/VintageVeraShop', `/listing/${edgeCases.emoji}`]) {
      expect((await fetch(`${running.url}${path}`)).status).toBe(200)
    }
    expect(running.sandbox.limits.usedToday()).toBe(0)
  })
})

describe('the sandbox Etsy’s state file', () => {
  it('saves connections and changes over a restart', async () => {
    const directory = mkdtempSync(join(tmpdir(), 'hapax-etsy-'))
    closing.push(() => rmSync(directory, { recursive: true }))
    const statePath = join(directory, 'etsy.json')
    const before = await start({ statePath })
    const { access_token, refresh_token } = before.sandbox.grant('VintageVeraShop')
    before.sandbox.market.sell(edgeCases.emoji)
    before.sandbox.market.remove(edgeCases.handmade)
    const added = before.sandbox.market.add(verasId, { title: 'New before the restart' })
    const bought = before.sandbox.market.buy(added.listingId)
    await before.sandbox.close()

    const after = await start({ statePath })
    expect((await after.adapter.oauth.identify(access_token)).external_name).toBe('VintageVeraShop')
    const refreshed = await after.adapter.oauth.refresh(refresh_token)
    expect(after.sandbox.market.find(edgeCases.emoji)?.listing.state).toBe('sold_out')
    expect(after.sandbox.market.find(edgeCases.handmade)).toBeUndefined()
    expect(after.sandbox.market.find(added.listingId)?.listing.title).toBe('New before the restart')
    expect(after.sandbox.market.receiptsOf(verasId)).toEqual([bought])
    await after.sandbox.close()

    const last = await start({ statePath })
    await expect(last.adapter.oauth.refresh(refresh_token)).rejects.toMatchObject({ failure: 'reconnect' })
    expect((await last.adapter.oauth.refresh(refreshed.refresh_token!)).access_token).not.toBe('')
  })
})

describe('the webhooks of the sandbox Etsy', () => {
  it('send subscribed events of shops that gave consent to a commercial app', async () => {
    const received: { event_type: string; order: string }[] = []
    const endpoint = createServer((request, response) => {
      request.setEncoding('utf8').on('data', (text: string) => {
        const { event_type, resource_url } = JSON.parse(text)
        received.push({ event_type, order: `/order/${resource_url.split('/').at(-1)}` })
      })
      response.end()
    })
    await new Promise<void>((resolve) => endpoint.listen(0, '127.0.0.1', resolve))
    closing.push(() => new Promise((resolve) => endpoint.close(resolve)))
    const webhook = {
      url: `http://127.0.0.1:${(endpoint.address() as AddressInfo).port}/`,
      secret: `whsec_${randomBytes(24).toString('base64')}`,
      events: ['order.canceled'],
    }
    const { sandbox, url } = await start({ webhook })
    const act = async (path: string) => {
      const { status, headers } = await fetch(`${url}${path}`, { method: 'POST', redirect: 'manual' })
      expect(status).toBe(303)
      return headers.get('location')!
    }
    const personal = await start({ webhook, access: 'personal' })
    personal.sandbox.grant('VintageVeraShop')
    const [before, after] = sandbox.market.listingsOf(verasId).filter(({ state }) => state === 'active')
    const cancel = `/order/${personal.sandbox.market.buy(before!.listingId).receiptId}/cancel`
    await fetch(`${personal.url}${cancel}`, { method: 'POST', redirect: 'manual' })
    await act(`${await act(`/listing/${before!.listingId}/buy`)}/cancel`)
    sandbox.grant('VintageVeraShop')
    const order = await act(`/listing/${after!.listingId}/buy`)
    await act(`${order}/cancel`)
    await until(() => received.some((one) => one.order === order))
    expect(received).toEqual([{ event_type: 'order.canceled', order }])
  })
})

describe('states of listings on the sandbox Etsy', () => {
  async function begin() {
    const running = await start()
    const { market } = running.sandbox
    const authorization = `Bearer ${running.sandbox.grant('VintageVeraShop').access_token}`
    const send = async (method: string, path: string, form?: Record<string, string>) => {
      const response = await fetch(`${running.url}/v3/application${path}`, {
        method,
        headers: { ...key, authorization },
        ...(form ? { body: new URLSearchParams(form) } : {}),
      })
      const text = await response.text()
      return { status: response.status, error: text === '' ? undefined : JSON.parse(text).error }
    }
    const move = (id: number, state: string) => send('PATCH', `/shops/${verasId}/listings/${id}`, { state })
    const add = (state: Parameters<typeof market.add>[1]['state'], more: Parameters<typeof market.add>[1] = {}) =>
      market.add(verasId, { state, ...more }).listingId
    return { market, send, move, add, running }
  }

  it('are those from which Etsy documents a deletion', async () => {
    const { market, send, add } = await begin()
    const sold = [{ ...plainProduct({}), quantity: 0 }]
    const remove = async (id: number) => (await send('DELETE', `/listings/${id}`)).status
    for (const state of ['sold_out', 'draft', 'expired', 'inactive', 'active'] as const) {
      expect([state, await remove(add(state))]).toEqual([state, 204])
    }
    expect(await remove(add('edit'))).toBe(409)
    const unavailable = add('active', { products: sold })
    expect(await remove(unavailable)).toBe(409)
    market.setVacation(verasId, true)
    expect(await remove(unavailable)).toBe(204)
  })

  it('refuse to end or revive a sold-out listing as reported', async () => {
    const { move, add } = await begin()
    const sold = add('sold_out', { products: [{ ...plainProduct({}), quantity: 0 }] })
    expect(await move(sold, 'inactive')).toEqual({ status: 400, error: '/quantity cannot be empty' })
    expect((await move(sold, 'active')).status).toBe(500)
    expect((await move(add('edit'), 'inactive')).status).toBe(200)
  })

  it('show an old word among the inactive listings', async () => {
    const { add, running } = await begin()
    const id = add('edit')
    const { body } = await get(running, `/shops/${verasId}/listings?state=inactive&limit=100`)
    expect(body.results.find(({ listing_id }: { listing_id: number }) => listing_id === id)?.state).toBe('edit')
  })

  it('stay active in a shop on vacation, which sells and publishes nothing', async () => {
    const { market, move, add, running } = await begin()
    const [active, draft] = [add('active'), add('draft')]
    await fetch(`${running.url}/shop/VintageVeraShop/vacation`, { method: 'POST' })
    const shown = (await get(running, `/shops/${verasId}`)).body
    expect([shown.is_vacation, shown.vacation_message]).toEqual([true, expect.any(String)])
    expect((await get(running, `/listings/${active}`)).body.state).toBe('active')
    expect(() => market.buy(active)).toThrow('on vacation')
    expect((await fetch(`${running.url}/listing/${active}/buy`, { method: 'POST' })).status).toBe(409)
    expect((await move(draft, 'active')).status).toBe(409)
    expect((await move(active, 'inactive')).status).toBe(200)
    await fetch(`${running.url}/shop/VintageVeraShop/vacation`, { method: 'POST' })
    expect((await get(running, `/shops/${verasId}`)).body.is_vacation).toBe(false)
  })

  it('change on the pages, as do orders', async () => {
    const { market, add, running } = await begin()
    const press = (path: string) => fetch(`${running.url}${path}`, { method: 'POST' })
    const expired = add('active')
    await press(`/listing/${expired}/expire`)
    expect(market.find(expired)?.listing.state).toBe('expired')
    const { receiptId } = market.buy(add('active'))
    await press(`/order/${receiptId}/ship`)
    await press(`/order/${receiptId}/refund`)
    const { body } = await get(running, `/shops/${verasId}/receipts/${receiptId}`)
    expect([body.status, body.is_shipped]).toEqual(['Fully Refunded', true])
    expect((await press('/order/1/ship')).status).toBe(404)
  })

  it.each([
    ['application/json', JSON.stringify({ tracking_code: '9400', carrier_name: 'usps' })],
    ['application/x-www-form-urlencoded', 'tracking_code=9400&carrier_name=usps'],
  ])('are shipped by a body of %s', async (type, body) => {
    const running = await start()
    const { market } = running.sandbox
    const { receiptId } = market.buy(market.listingsOf(verasId).find(({ state }) => state === 'active')!.listingId)
    const authorization = `Bearer ${running.sandbox.grant('VintageVeraShop').access_token}`
    const headers = { 'content-type': type, 'x-api-key': `${client.clientId}:${client.clientSecret}`, authorization }
    const path = `/v3/application/shops/${verasId}/receipts/${receiptId}/tracking`
    expect((await fetch(`${running.url}${path}`, { method: 'POST', headers, body })).status).toBe(200)
    expect(market.receipt(receiptId)?.shipments).toMatchObject([{ carrier: 'usps', tracking: '9400' }])
  })

  it('keep their time when refunded or to be shipped later', async () => {
    const now = { at: new Date('2026-11-02T09:00:00Z') }
    const running = await start({ clock: () => now.at })
    const { market } = running.sandbox
    const { receiptId } = market.buy(market.listingsOf(verasId).find(({ state }) => state === 'active')!.listingId)
    now.at = new Date('2026-11-05T09:00:00Z')
    market.refund(receiptId, 100)
    market.postpone(receiptId, 1_796_000_000)
    const { body } = await get(running, `/shops/${verasId}/receipts/${receiptId}`)
    expect(body).toMatchObject({ status: 'Partially Refunded', updated_timestamp: body.created_timestamp })
    expect(body.transactions[0].expected_ship_date).toBe(1_796_000_000)
  })
})
