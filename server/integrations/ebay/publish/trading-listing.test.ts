import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import type { KnownListing, ListingPort, ShopAccess } from '#server/integrations/port.ts'
import { withWarnings } from '#server/integrations/warnings.ts'
import type { EbaySandbox } from '#server/sandbox/ebay/index.ts'
import type { SandboxItem } from '#server/sandbox/ebay/item.ts'
import { errorOfTrading } from '../errors.ts'
import { startEbaySandbox } from '../testing/ebay-sandbox.ts'

const seller = 'thing_theo'
let sandbox: EbaySandbox
let access: ShopAccess
let accessOf: (seller: string) => ShopAccess
let port: ListingPort
let aheadMs = 0
const clock = () => new Date(Date.now() + aheadMs)
const requests: { call: string; site: string; body: string }[] = []
beforeAll(async () => {
  const seen: typeof fetch = (input, init) => {
    const headers = new Headers(init?.headers)
    const call = headers.get('x-ebay-api-call-name')
    if (call) requests.push({ call, site: headers.get('x-ebay-api-siteid') ?? '', body: String(init?.body) })
    return fetch(input, init)
  }
  const running = await startEbaySandbox(
    { usual: false, clock, sellers: [{ username: seller, items: [] }] },
    { fetch: seen as never, now: clock },
  )
  sandbox = running.sandbox
  accessOf = running.accessOf
  access = accessOf(seller)
  port = running.adapter.listings!
})
afterAll(() => sandbox?.close())
afterEach(() => {
  aheadMs = 0
  access = accessOf(seller)
  requests.length = 0
})

const hoursAhead = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString()
const add = (item: Partial<SandboxItem>) => sandbox.market.add(seller, item).itemId
const auction = (hours: number, bids: number) => add({ listingType: 'Chinese', bids, endsAt: hoursAhead(hours) })
const known = (listing_id: string, terms?: KnownListing['terms']): KnownListing => ({
  ...{ listing_id, externalKey: null },
  ...(terms ? { terms } : {}),
})
const calls = () => requests.map(({ call }) => call)

describe('ending an imported auction', () => {
  it('cancels its bids more than 12 hours before its end', async () => {
    const id = auction(13, 4)
    await port.withdraw(access, known(id, { format: 'auction', bids: 4 }))
    expect(calls()).toEqual(['EndItem'])
    expect(requests[0]?.body).toContain('<EndingReason>NotAvailable</EndingReason>')
    expect(await port.readState(access, id)).toBe('ended')
    expect(sandbox.market.find(id)?.item).toMatchObject({ bids: 0, quantitySold: 0 })
  })

  it.each([undefined, { format: 'auction', bids: 0 } as const])(
    'says what to do in its last 12 hours, whatever was known (%o)',
    async (terms) => {
      const id = auction(6, 3)
      await expect(port.withdraw(access, known(id, terms))).rejects.toMatchObject({
        failure: 'not_yet',
        platformCode: 'auction_bids',
        message: expect.stringMatching(
          /^This auction has 3 bids and ends .* UTC\..*last 12 hours.*Cancel the bids.*cancel that sale/,
        ),
        retryAfterMs: expect.toSatisfy((ms: number) => ms > 5.9 * 3_600_000 && ms < 6.1 * 3_600_000),
      })
      expect(await port.readState(access, id)).toBe('live')
    },
  )

  it('ends one without bids at any hour', async () => {
    const id = auction(2, 0)
    await port.withdraw(access, known(id, { format: 'auction' }))
    expect(await port.readState(access, id)).toBe('ended')
  })

  it('reads one that ended with a buyer as sold', async () => {
    const id = auction(6, 3)
    aheadMs = 7 * 3_600_000
    access = accessOf(seller)
    await port.withdraw(access, known(id, { format: 'auction' }))
    expect(await port.readState(access, id)).toBe('sold')
  })
})

describe('pricing imported listings', () => {
  const price = (listing: KnownListing, currency: string) =>
    port.changePrice(access, { ...listing, price_minor: 4_250, currency })

  it.each([
    ['UK', 'GBP', '3'],
    ['Germany', 'EUR', '77'],
    ['CanadaFrench', 'CAD', '210'],
    ['Poland', 'PLN', '212'],
    ['US', 'USD', '0'],
  ])('names the site %s and its currency', async (site, currency, id) => {
    const listed = add({ site, currency })
    await price(known(listed, { site }), currency)
    expect(requests).toMatchObject([{ call: 'GetItem' }, { call: 'ReviseFixedPriceItem', site: id }])
    expect(requests[1]?.body).toContain(`<StartPrice currencyID="${currency}">42.50</StartPrice>`)
    expect(sandbox.market.find(listed)?.item.price).toBe('42.50')
  })

  it('is refused in another currency, as eBay does', async () => {
    const listed = add({ site: 'UK', currency: 'GBP' })
    await expect(price(known(listed, { site: 'UK' }), 'USD')).rejects.toMatchObject({ platformCode: '95' })
  })

  it('reads the site of a listing that an earlier release imported', async () => {
    const listed = add({ site: 'Italy', currency: 'EUR' })
    await price(known(listed), 'EUR')
    expect(requests.map(({ call, site }) => [call, site])).toEqual([
      ['GetItem', '0'],
      ['ReviseFixedPriceItem', '101'],
    ])
  })

  it.each([
    'You have exceeded the number of revisions allowed per day for this listing.',
    'The item cannot be revised when it ends within 12 hours.',
    'The price cannot be revised because the item has a pending bid.',
  ])('knows by its words what passes with time: %s', (words) => {
    const errors = [{ ErrorCode: '1', LongMessage: words, SeverityCode: 'Error', ErrorParameters: [] }]
    expect(errorOfTrading('ReviseFixedPriceItem', errors as never).failure).toBe('not_yet')
  })

  it.each(['The start price is invalid.', 'You offered too many pictures.', 'You exceeded your selling limit.'])(
    'takes other words for a refusal: %s',
    (words) => {
      const errors = [{ ErrorCode: '1', LongMessage: words, SeverityCode: 'Error', ErrorParameters: [] }]
      expect(errorOfTrading('ReviseFixedPriceItem', errors as never).failure).toBe('refused')
    },
  )

  it.each([true, false])('refuses variations before the call (known: %s)', async (isKnown) => {
    const variation = { sku: 'V', price: '9.0', quantity: 1, quantitySold: 0, specifics: [] }
    const listed = add({ variations: [variation, { ...variation, sku: 'W' }], quantity: 2 })
    const terms = isKnown ? ({ has_variations: true } as const) : undefined
    await expect(price(known(listed, terms), 'USD')).rejects.toMatchObject({
      failure: 'refused',
      platformCode: 'variations',
      message: expect.stringContaining('variations'),
    })
    expect(calls()).toEqual(isKnown ? [] : ['GetItem'])
  })

  it('refuses auctions before the call', async () => {
    const terms = { format: 'auction' } as const
    await expect(price(known(auction(50, 0), terms), 'USD')).rejects.toMatchObject({ platformCode: 'auction' })
    expect(calls()).toEqual([])
  })

  it('waits for an open offer', async () => {
    const listed = add({ openOffers: 1 })
    await expect(price(known(listed, { site: 'US' }), 'USD')).rejects.toMatchObject({
      failure: 'not_yet',
      message: expect.stringContaining('offer is open'),
    })
  })

  it('waits for the end of the last 12 hours', async () => {
    const listed = add({ endsAt: hoursAhead(5) })
    await expect(price(known(listed, { site: 'US' }), 'USD')).rejects.toMatchObject({
      failure: 'not_yet',
      message: expect.stringMatching(/ends within 12 hours.*until it ends \(/),
      retryAfterMs: expect.toSatisfy((ms: number) => ms > 4.9 * 3_600_000 && ms < 5.1 * 3_600_000),
    })
  })

  it('waits for the next day after the last revision of a day', async () => {
    const listed = add({})
    for (let count = 0; count < 250; count++) await price(known(listed, { site: 'US' }), 'USD')
    await expect(price(known(listed, { site: 'US' }), 'USD')).rejects.toMatchObject({
      failure: 'not_yet',
      platformCode: 'revision_limit',
      retryAfterMs: expect.toSatisfy((ms: number) => ms > 0 && ms <= 86_400_000),
    })
  })
})

describe('the effects of a new price at eBay', () => {
  /** Changes a price and returns what eBay warned of. */
  async function change(listed: string, price_minor: number): Promise<string[]> {
    const said: string[] = []
    const listing = { ...known(listed, { site: 'US' }), price_minor, currency: 'USD' }
    await withWarnings(
      (sentence) => said.push(sentence),
      () => port.changePrice(access, listing),
    )
    return said
  }
  const on = (id: string) => sandbox.market.find(id)!.item
  const sale = { price: '28.0', startsAt: hoursAhead(-1), endsAt: hoursAhead(48) }

  it.each([
    ['lower', 4_000, '35.00', '20.00'],
    ['higher', 6_500, '35.00', '20.00'],
  ])('keeps the limits for offers at a %s price', async (_, price_minor, autoAccept, autoDecline) => {
    const listed = add({ price: '50.0', autoAccept: '35.0', autoDecline: '20.0' })
    expect(await change(listed, price_minor)).toEqual([])
    expect(on(listed)).toMatchObject({ autoAccept, autoDecline })
  })

  it('lowers limits no further than the price asks, and says so', async () => {
    const listed = add({ price: '50.0', autoAccept: '35.0', autoDecline: '20.0' })
    expect(await change(listed, 1_900)).toEqual([
      expect.stringMatching(/accepts offers by itself went from 35\.00 USD to 18\.99 USD/),
      expect.stringMatching(/declines offers by itself went from 20\.00 USD to 18\.98 USD/),
    ])
    expect(on(listed)).toMatchObject({ price: '19.00', autoAccept: '18.99', autoDecline: '18.98' })
  })

  it('raises a limit for accepting that it had lowered to the price', async () => {
    const listed = add({ price: '97.95', autoAccept: '90.0', autoDecline: '60.0' })
    await change(listed, 5_000)
    expect(await change(listed, 9_795)).toEqual([
      expect.stringMatching(/accepts offers .* from 49\.99 USD to 97\.94 USD/),
    ])
    expect(on(listed)).toMatchObject({ autoAccept: '97.94', autoDecline: '49.98' })
  })

  it('sends no limits to a listing that has none', async () => {
    await change(add({}), 1_500)
    expect(requests[1]?.body).not.toContain('ListingDetails')
  })

  it('ends a sale event, and says so', async () => {
    const listed = add({ price: '40.0', sale })
    expect(await change(listed, 3_900)).toEqual(['The new price ended the sale event of this listing on eBay.'])
    expect(on(listed).sale).toBeUndefined()
  })

  it('says nothing of a price that the listing had', async () => {
    expect(await change(add({ price: '40.0' }), 4_000)).toEqual([])
  })

  it.each(['22003', '23004', '23005'])('explains the refused limit of error %s', (code) => {
    const errors = [{ ErrorCode: code, LongMessage: 'Betrag ungültig.', SeverityCode: 'Error', ErrorParameters: [] }]
    expect(errorOfTrading('ReviseFixedPriceItem', errors as never)).toMatchObject({
      failure: 'refused',
      message: expect.stringMatching(/Correct the Best Offer.*below the price/),
    })
  })

  it('is refused of a listing that another tool made, and that one is named', async () => {
    const id = add({ byInventory: true })
    const change = port.changePrice(access, { ...known(id), price_minor: 900, currency: 'USD' })
    await expect(change).rejects.toMatchObject({
      failure: 'refused',
      message: expect.stringMatching(/only that tool can change it\. End the listing/),
    })
    await port.withdraw(access, known(id))
    expect(await port.readState(access, id)).toBe('ended')
  })

  it('is refused for a specific that the category has come to require', async () => {
    const listed = add({ requires: ['Department'] })
    await expect(change(listed, 1_500)).rejects.toMatchObject({ failure: 'refused', platformCode: '21919303' })
  })
})

describe('the content of imported listings', () => {
  const retitle = (listing: KnownListing) =>
    port.updateContent(access, listing, {
      ...{ title: 'Another title', description: 'Words.', images: [] },
      ...{ condition: { label: 'Used', notes: '' }, fields: ['title'], price: null },
    })

  it('is changed on its own site', async () => {
    const listed = add({ site: 'France', currency: 'EUR' })
    await retitle(known(listed, { site: 'France' }))
    expect(requests).toMatchObject([{ call: 'ReviseFixedPriceItem', site: '71' }])
  })

  it('is changed of an auction without bids', async () => {
    const listed = auction(50, 0)
    await retitle(known(listed, { format: 'auction', site: 'US' }))
    expect(sandbox.market.find(listed)?.item.title).toBe('Another title')
  })

  it('keeps its title for good after a sale', async () => {
    const listed = add({ quantity: 3, quantitySold: 1 })
    await expect(retitle(known(listed, { site: 'US' }))).rejects.toMatchObject({
      failure: 'refused',
      platformCode: 'fixed_after_sale',
      message: expect.stringMatching(/title.*category.*sold/),
    })
  })

  it('waits while an auction has bids', async () => {
    await expect(retitle(known(auction(50, 2), { format: 'auction' }))).rejects.toMatchObject({
      failure: 'not_yet',
      message: expect.stringContaining('has a bid'),
    })
  })
})
