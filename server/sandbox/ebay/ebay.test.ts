import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { load } from 'cheerio'
import sharp from 'sharp'
import { afterEach, describe, expect, it } from 'vitest'
import { readKept } from '#e2e/lab/documents/keep.ts'
import { readAnswer } from '#server/integrations/ebay/client.ts'
import { client, type RunningEbaySandbox, startEbaySandbox } from '#server/integrations/ebay/testing/ebay-sandbox.ts'
import { consentAs } from '../testing/consent-on-ebay.ts'
import { createEbaySandbox } from './index.ts'
import { baseScope } from './oauth.ts'
import { generateItems as generateShop } from './shop.ts'

const closing: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
})
async function start(...options: Parameters<typeof startEbaySandbox>): Promise<RunningEbaySandbox> {
  const running = await startEbaySandbox(...options)
  closing.push(() => running.sandbox.close())
  return running
}

/** Sends a Trading call by hand and returns the XML. */
async function call(url: string, name: string, token: string, body: string, level = '1455'): Promise<string> {
  const response = await fetch(`${url}/ws/api.dll`, {
    method: 'POST',
    headers: { 'x-ebay-api-call-name': name, 'x-ebay-api-compatibility-level': level, 'x-ebay-api-iaf-token': token },
    body: `<${name}Request xmlns="urn:ebay:apis:eBLBaseComponents">${body}</${name}Request>`,
  })
  expect(response.status).toBe(200)
  return response.text()
}
const codeOf = (xml: string) => /<ErrorCode>(\d+)<\/ErrorCode>/.exec(xml)?.[1]

describe('the market of the sandbox eBay', () => {
  it('is the same at every start', async () => {
    const [one, two] = [await start(), await start()]
    const count = (seller: string) =>
      one.sandbox.market.itemsOf(seller).filter((item) => item.status === 'Active').length
    expect(['vintage_vera', 'camera_carl', 'empty_eve'].map(count)).toEqual([271, 30, 0])
    const shape = ({ sandbox }: RunningEbaySandbox) =>
      sandbox.market.itemsOf('vintage_vera').map(({ endTime, startTime, endsAt, ...item }) => item)
    expect(shape(one)).toEqual(shape(two))
  })

  it('generates believable listings within eBay’s limits', async () => {
    const items = (await start()).sandbox.market.itemsOf('vintage_vera')
    expect(new Set(items.map((item) => item.itemId)).size).toBe(items.length)
    for (const item of items) {
      expect(item.title.length).toBeLessThanOrEqual(80)
      expect(item.price).toMatch(/^\d+\.(\d|\d[1-9])$/)
      expect(item.pictures).toBeLessThanOrEqual(6)
    }
    const titles = items.map((item) => item.title)
    expect(titles.length - new Set(titles).size).toBe(3)
  })

  it('writes as a seller in the US does', async () => {
    const { market } = (await start()).sandbox
    for (const { title, description } of market.itemsOf('vintage_vera')) {
      expect(`${title} ${description}`).not.toMatch(/colour|favourite|exists once|\(another\)|#\d{3}|size one size/i)
    }
  })

  it('generates ten thousand listings', () => {
    const items = generateShop({ count: 10_000 })
    expect(new Set(items.map((item) => item.sku)).size).toBe(10_000)
    expect(new Set(items.map((item) => item.title)).size).toBe(10_000)
  })
})

describe('the sandbox eBay’s API', () => {
  it('answers errors in XML with HTTP 200 and eBay’s codes', async () => {
    const { url, sandbox } = await start()
    const { access_token: token } = sandbox.grant('camera_carl')
    expect(codeOf(await call(url, 'GetItem', '', '<ItemID>1</ItemID>'))).toBe('930')
    expect(codeOf(await call(url, 'GetItem', 'made-up', '<ItemID>1</ItemID>'))).toBe('21916984')
    expect(codeOf(await call(url, 'GetItem', token, '<ItemID>1</ItemID>'))).toBe('17')
    expect(codeOf(await call(url, 'GetItem', token, '<ItemID>'))).toBe('5')
    expect(codeOf(await call(url, 'AddTheMoon', token, ''))).toBe('2')
    expect(
      codeOf(
        await call(
          url,
          'GetMyeBaySelling',
          token,
          '<ActiveList><Pagination><EntriesPerPage>201</EntriesPerPage></Pagination></ActiveList>',
        ),
      ),
    ).toBe('37')
    expect(
      codeOf(
        await call(
          url,
          'GetMyeBaySelling',
          token,
          '<ActiveList><Pagination><PageNumber>99</PageNumber></Pagination></ActiveList>',
        ),
      ),
    ).toBe('340')
    sandbox.grants.expireAccess('camera_carl')
    expect(codeOf(await call(url, 'GetItem', token, '<ItemID>1</ItemID>'))).toBe('21917053')
  })

  it.each([
    ['no range', ''],
    ['half a range', '<EndTimeFrom>2026-01-01T00:00:00.000Z</EndTimeFrom>'],
    [
      'more than 120 days',
      '<EndTimeFrom>2026-01-01T00:00:00.000Z</EndTimeFrom><EndTimeTo>2026-05-02T00:00:00.000Z</EndTimeTo>',
    ],
  ])('refuses GetSellerList with %s', async (_case, range) => {
    const { sandbox, url } = await start()
    const { access_token: token } = sandbox.grant('camera_carl')
    const page = '<Pagination><EntriesPerPage>200</EntriesPerPage></Pagination>'
    expect(codeOf(await call(url, 'GetSellerList', token, `${range}${page}`))).toBe('37')
  })

  it('takes no level that eBay need not support any more', async () => {
    const { url, sandbox } = await start()
    const { access_token: token } = sandbox.grant('camera_carl')
    const { itemId } = sandbox.market.itemsOf('camera_carl')[0]!
    const read = (level: string) => call(url, 'GetItem', token, `<ItemID>${itemId}</ItemID>`, level)
    for (const level of ['1271', '1399', '', 'new']) expect(codeOf(await read(level))).toBe('2')
    expect(codeOf(await read('1423'))).toBeUndefined()
  })

  it('ends a sale event and drops auto-decline with a lower price, with warnings', async () => {
    const { url, sandbox } = await start()
    const { access_token: token } = sandbox.grant('camera_carl')
    const { itemId } = sandbox.market.add('camera_carl', { price: '60.0', autoDecline: '30.0' })
    await fetch(`${url}/itm/${itemId}/sale`, { method: 'POST' })
    const shown = await call(url, 'GetItem', token, `<ItemID>${itemId}</ItemID>`)
    expect(shown).toMatch(/<CurrentPrice currencyID="USD">42.0<.*<OriginalPrice currencyID="USD">60.0</)
    const revise = (price: string) =>
      call(
        url,
        'ReviseFixedPriceItem',
        token,
        `<Item><ItemID>${itemId}</ItemID><StartPrice>${price}</StartPrice></Item>`,
      )
    const codes = (xml: string) => [...xml.matchAll(/<ErrorCode>(\d+)</g)].map(([, code]) => code)
    const first = await revise('50.00')
    expect(first).toContain('<Ack>Warning</Ack>')
    expect(codes(first)).toEqual(['21917089', '21992'])
    expect(codes(await revise('50.0'))).toEqual(['21917091'])
    expect(sandbox.market.find(itemId)!.item).toMatchObject({ price: '50.0', sale: undefined, autoDecline: undefined })
  })

  it('leaves item specifics out of GetSellerList', async () => {
    const { sandbox, url } = await start()
    const { access_token: token } = sandbox.grant('camera_carl')
    const at = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString()
    const range = `<EndTimeFrom>${at(0)}</EndTimeFrom><EndTimeTo>${at(119)}</EndTimeTo>`
    const ask = (detail: string, size: number) =>
      call(
        url,
        'GetSellerList',
        token,
        `${detail}${range}<Pagination><EntriesPerPage>${size}</EntriesPerPage></Pagination>`,
      )
    expect(codeOf(await ask('', 201))).toBe('37')
    const small = await ask('', 200)
    expect(small).toContain('<TotalNumberOfEntries>30</TotalNumberOfEntries>')
    expect(small).not.toContain('<Title>')
    const whole = await ask('<DetailLevel>ReturnAll</DetailLevel>', 200)
    for (const name of ['Title', 'Description', 'ConditionID', 'ShippingPackageDetails'])
      expect(whole).toContain(`<${name}>`)
    expect(whole).not.toContain('<ItemSpecifics>')
  })

  it('allows 300 calls of GetMyeBaySelling in 15 seconds', async () => {
    let now = new Date('2026-01-01T00:00:00Z')
    const { url, sandbox } = await start({ clock: () => now })
    const carl = sandbox.grant('camera_carl').access_token
    const list = (token: string) =>
      call(url, 'GetMyeBaySelling', token, '<ActiveList><Include>true</Include></ActiveList>')
    for (let calls = 0; calls < 300; calls += 10) {
      const codes = await Promise.all(Array.from({ length: 10 }, () => list(carl)))
      expect(codes.map(codeOf)).toEqual(Array.from({ length: 10 }, () => undefined))
    }
    expect(codeOf(await list(carl))).toBe('21919144')
    expect(codeOf(await list(sandbox.grant('empty_eve').access_token))).toBeUndefined()
    now = new Date(now.getTime() + 15_001)
    expect(codeOf(await list(carl))).toBeUndefined()
  })

  it('returns descriptions and specifics only on request', async () => {
    const { url, sandbox } = await start()
    const token = sandbox.grant('camera_carl').access_token
    const [item] = sandbox.market.itemsOf('camera_carl')
    const id = `<ItemID>${item!.itemId}</ItemID>`
    const short = await call(url, 'GetItem', token, id)
    expect([short.includes('<Description>'), short.includes('<ItemSpecifics>')]).toEqual([false, false])
    const full = await call(
      url,
      'GetItem',
      token,
      `${id}<DetailLevel>ReturnAll</DetailLevel><IncludeItemSpecifics>true</IncludeItemSpecifics>`,
    )
    expect([full.includes('<Description>'), full.includes('<ItemSpecifics>')]).toEqual([true, true])
    expect(() => readAnswer('GetItem', { status: 200, headers: new Headers(), text: full })).not.toThrow()
  })

  it('checks client, code, RuName and grant type for tokens', async () => {
    const { url, sandbox } = await start()
    const ask = async (form: Record<string, string>, credentials = `${client.clientId}:${client.clientSecret}`) => {
      const response = await fetch(`${url}/identity/v1/oauth2/token`, {
        method: 'POST',
        headers: { authorization: `Basic ${btoa(credentials)}` },
        body: new URLSearchParams(form),
      })
      return [response.status, ((await response.json()) as { error?: string }).error]
    }
    const form = () => ({
      grant_type: 'authorization_code',
      redirect_uri: client.ruName,
      code: sandbox.grants.issueCode('camera_carl', [baseScope]),
    })
    expect(await ask(form(), `${client.clientId}:wrong`)).toEqual([401, 'invalid_client'])
    expect(await ask({ ...form(), redirect_uri: 'http://127.0.0.1/' })).toEqual([400, 'invalid_grant'])
    expect(await ask({ grant_type: 'password' })).toEqual([400, 'unsupported_grant_type'])
    const once = form()
    expect(await ask(once)).toEqual([200, undefined])
    expect(await ask(once)).toEqual([400, 'invalid_grant'])
  })

  it('expires codes, access tokens and refresh tokens', async () => {
    let now = new Date('2026-01-01T00:00:00Z')
    const later = (seconds: number) => {
      now = new Date(now.getTime() + seconds * 1000)
    }
    const { adapter, sandbox } = await start({ clock: () => now })
    const code = sandbox.grants.issueCode('camera_carl', [baseScope])
    later(300)
    expect(sandbox.grants.redeemCode(code)).toBeNull()
    const { access_token, refresh_token } = sandbox.grant('camera_carl')
    later(7_201)
    await expect(adapter.oauth.identify(access_token)).rejects.toMatchObject({ failure: 'unauthorized' })
    expect((await adapter.oauth.refresh(refresh_token)).refresh_token).toBeNull()
    later(47_304_000)
    await expect(adapter.oauth.refresh(refresh_token)).rejects.toMatchObject({ failure: 'reconnect' })
  })

  it('answers who the seller is as eBay’s published document says', async () => {
    const { url, sandbox } = await start()
    const { paths, components } = readKept('ebay-identity')
    const [path] = Object.keys(paths)
    const headers = {
      authorization: `Bearer ${sandbox.grant('camera_carl').access_token}`,
      'accept-language': 'en-US',
    }
    const answer = (await (await fetch(`${url}${path}`, { headers })).json()) as object
    const { properties } = components.schemas.UserResponse!
    expect(Object.keys(answer)).toContain('userId')
    for (const [name, value] of Object.entries(answer))
      expect([name, typeof value]).toEqual([name, properties?.[name]?.type])
    const refused = (await (await fetch(`${url}${path}`)).json()) as { errors: object[] }
    // All of eBay's documents describe an error alike; that of the metadata is kept with it.
    const described = readKept('ebay-metadata').components.schemas.Error!.properties
    for (const name of Object.keys(refused.errors[0]!)) expect(described).toHaveProperty(name)
  })
})

describe('the sandbox eBay’s pages', () => {
  const asked = (url: string, change: Record<string, string> = {}) =>
    `${url}/oauth2/authorize?${new URLSearchParams({ client_id: client.clientId, redirect_uri: client.ruName, response_type: 'code', scope: baseScope, state: '<"&>', ...change })}`

  it('ask for consent in an accessible form without scripts', async () => {
    const { url } = await start()
    const page = load(await (await fetch(asked(url))).text())
    expect(page('script')).toHaveLength(0)
    expect(page('html').attr('lang')).toBe('en')
    expect(page('h1').text()).not.toBe('')
    expect(page('fieldset legend').text()).toBe('Sign in as')
    expect(
      page('input[type=radio]')
        .toArray()
        .every((input) => page(input).parent('label').text().trim() !== ''),
    ).toBe(true)
    expect(
      page('button')
        .toArray()
        .map((button) => page(button).attr('value')),
    ).toEqual(['agree', 'decline'])
    expect(page('input[name=state]').attr('value')).toBe('<"&>')
  })

  it.each([
    ['another client', { client_id: 'other' }],
    ['an address instead of the RuName', { redirect_uri: 'http://127.0.0.1:8080/callback/' }],
    ['another response type', { response_type: 'token' }],
  ])('show the error and redirect nowhere for %s', async (_, change) => {
    const { url } = await start()
    const response = await fetch(asked(url, change), { redirect: 'manual' })
    expect([response.status, response.headers.get('location')]).toEqual([400, null])
    expect(load(await response.text())('[role=alert]').text()).not.toBe('')
  })

  it.each([
    ['a scope that is none', 'everything'],
    ['a scope that the keyset lacks', `${baseScope} ${baseScope}/sell.listing`],
  ])('refuse the whole consent for %s', async (_, scope) => {
    const { url } = await start()
    const response = await fetch(asked(url, { scope }), { redirect: 'manual' })
    expect(response.status).toBe(400)
    expect(await response.json()).toEqual({ error_id: 'invalid_scope', http_status_code: 400 })
  })

  it('redirect with the state and a code of special characters', async () => {
    const { url } = await start()
    const { searchParams } = new URL(await consentAs(asked(url), 'camera_carl'))
    expect(searchParams.get('state')).toBe('<"&>')
    expect(searchParams.get('code')).toMatch(/#.*\^/)
  })

  it('serve stable PNG pictures, and only those that exist', async () => {
    const { url, sandbox } = await start()
    const item = sandbox.market.itemsOf('vintage_vera').find(({ pictures }) => pictures === 2)!
    const get = async (number: number) => fetch(`${url}/images/${item.itemId}/${number}.png`)
    const first = await get(1)
    expect(first.headers.get('content-type')).toBe('image/png')
    const png = Buffer.from(await first.arrayBuffer())
    expect(png.subarray(0, 8).toString('latin1')).toBe('\x89PNG\r\n\x1a\n')
    expect(await sharp(png).metadata()).toMatchObject({ width: 512, height: 512 })
    expect(Buffer.from(await (await get(1)).arrayBuffer())).toEqual(png)
    expect(Buffer.from(await (await get(2)).arrayBuffer())).not.toEqual(png)
    expect([(await get(0)).status, (await get(3)).status]).toEqual([404, 404])
  })

  it('lose the pictures of a listing three days after its end, unless it is relisted', async () => {
    const { url, sandbox } = await start()
    const { itemId } = sandbox.market.itemsOf('vintage_vera').find(({ status }) => status === 'Active')!
    const statusOf = async () => (await fetch(`${url}/images/${itemId}/1.png`)).status
    const endedDaysAgo = (days: number) =>
      sandbox.market.change(itemId, {
        status: 'Ended',
        endTime: new Date(Date.now() - days * 86_400_000).toISOString(),
      })
    endedDaysAgo(2)
    expect(await statusOf()).toBe(200)
    endedDaysAgo(4)
    expect(await statusOf()).toBe(404)
    sandbox.market.relist(itemId)
    expect(await statusOf()).toBe(200)
  })

  it('show a listing without running its seller’s scripts', async () => {
    const { url } = await start()
    const page = load(await (await fetch(`${url}/itm/276500000140`)).text())
    expect(page('script')).toHaveLength(0)
    expect(page('pre').text()).toContain('<script>')
  })
})

describe('a listing that the sandbox eBay relists', () => {
  // As in Trading's GetItem: RelistParentID of the new item, ListingDetails.RelistedItemID of the old one.
  const namesOf = async (url: string, token: string, itemId: string) => {
    const answer = await call(url, 'GetItem', token, `<ItemID>${itemId}</ItemID>`)
    return (
      /<RelistedItemID>(\d+)<\/RelistedItemID><StartTime>/.exec(answer)?.[1] ??
      /<RelistParentID>(\d+)/.exec(answer)?.[1]
    )
  }

  it('has a new number after a cancellation, unless switched off', async () => {
    const { sandbox, url } = await start()
    const { market } = sandbox
    const token = sandbox.grant('camera_carl').access_token
    const [one, two] = market.itemsOf('camera_carl').map(({ itemId }) => itemId)
    market.cancelOrder(market.buy(one!).orderId)
    const next = market.find(one!)!.item.relistedItemId!
    expect(await namesOf(url, token, one!)).toBe(next)
    expect(await namesOf(url, token, next)).toBe(one)
    expect(market.find(one!)!.item.status).toBe('Completed')
    await fetch(`${url}/usr/camera_carl/relisting`, { method: 'POST' })
    market.cancelOrder(market.buy(two!).orderId)
    expect(await namesOf(url, token, two!)).toBeUndefined()
  })

  it('keeps its order’s other pieces ended', async () => {
    const { market } = (await start()).sandbox
    const [one, two] = market.itemsOf('camera_carl').map(({ itemId }) => itemId)
    market.cancelOrder(market.buy(one!, { also: [two!] }).orderId)
    expect([one, two].map((id) => market.find(id!)!.item.relistedItemId)).toEqual([undefined, undefined])
  })

  it('is an unsold auction as often as its seller asked', async () => {
    let now = new Date('2026-03-01T00:00:00.000Z')
    const { market } = (await start({ clock: () => now })).sandbox
    market.add('bidding_ben', {
      listingType: 'Chinese',
      endsAt: '2026-03-08T00:00:00.000Z',
      title: 'Once',
      relistsLeft: 2,
    })
    const rounds = () =>
      market
        .itemsOf('bidding_ben')
        .filter(({ title }) => title === 'Once')
        .map(({ status }) => status)
    for (const day of ['09', '16', '23', '30']) {
      now = new Date(`2026-03-${day}T00:00:00.000Z`)
      rounds()
    }
    expect(rounds()).toEqual(['Completed', 'Completed', 'Completed'])
  })
})

describe('the sandbox eBay’s state file', () => {
  it('saves connections and changes over a restart', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'hapax-ebay-'))
    closing.push(() => rmSync(folder, { recursive: true }))
    const statePath = join(folder, 'deep', 'ebay.json')
    const first = await startEbaySandbox({ statePath })
    const { access_token, refresh_token } = first.sandbox.grant('camera_carl')
    const [sold, ended, changed, removed] = first.sandbox.market.itemsOf('camera_carl').map((item) => item.itemId)
    first.sandbox.market.sell(sold!)
    first.sandbox.market.end(ended!)
    first.sandbox.market.change(changed!, { title: 'Renamed', price: '1.5' })
    first.sandbox.market.remove(removed!)
    const added = first.sandbox.market.add('camera_carl', { title: 'New here' })
    await first.sandbox.close()

    const { adapter, sandbox } = await start({ statePath })
    expect((await adapter.oauth.identify(access_token)).external_name).toBe('camera_carl')
    expect((await adapter.oauth.refresh(refresh_token)).access_token).not.toBe(access_token)
    expect(sandbox.market.find(sold!)?.item).toMatchObject({ status: 'Completed', quantitySold: 1 })
    expect(sandbox.market.ordersOf('camera_carl').map((order) => order.lines[0]?.itemId)).toEqual([sold])
    expect(sandbox.market.find(ended!)?.item.status).toBe('Ended')
    expect(sandbox.market.find(changed!)?.item).toMatchObject({ title: 'Renamed', price: '1.5' })
    expect(sandbox.market.find(removed!)).toBeUndefined()
    expect(sandbox.market.find(added.itemId)?.item.title).toBe('New here')
    expect(sandbox.market.add('camera_carl', {}).itemId).not.toBe(added.itemId)
  })

  it('is not overwritten when it cannot be read', () => {
    const folder = mkdtempSync(join(tmpdir(), 'hapax-ebay-'))
    closing.push(() => rmSync(folder, { recursive: true }))
    expect(() => createEbaySandbox({ ...client, acceptUrl: 'http://127.0.0.1/', statePath: folder })).toThrow(
      /cannot be read/,
    )
  })
})
