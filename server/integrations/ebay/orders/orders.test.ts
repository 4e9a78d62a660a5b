import { afterEach, describe, expect, it } from 'vitest'
import type { OrderPage, PlatformOrder } from '#server/integrations/port.ts'
import { generateItems as generateShop } from '#server/sandbox/ebay/shop.ts'
import type { Rest } from '../rest.ts'
import { type RunningEbaySandbox, startEbaySandbox } from '../testing/ebay-sandbox.ts'
import { createOrderPort, parseOrder } from './orders.ts'

let running: RunningEbaySandbox | null = null
afterEach(async () => {
  await running?.sandbox.close()
  running = null
})

const start = async (...options: Parameters<typeof startEbaySandbox>) => (running = await startEbaySandbox(...options))
const longAgo = () => new Date(Date.now() - 86_400_000).toISOString()
const carls = (index: number, { sandbox } = running!) => sandbox.market.itemsOf('camera_carl')[index]!

async function readAll({ adapter, accessOf }: RunningEbaySandbox, seller = 'camera_carl', modifiedSince = longAgo()) {
  const access = accessOf(seller)
  const pages: OrderPage[] = []
  let cursor: string | null = null
  do {
    const page: OrderPage = await adapter.orders!.readChanged(access, { modifiedSince, cursor })
    pages.push(page)
    cursor = page.nextCursor
  } while (cursor !== null)
  return { pages, orders: pages.flatMap((page) => page.orders) }
}

describe('reading eBay’s orders', () => {
  it('returns listing, unit price and times without the buyer', async () => {
    const shop = await start()
    const item = shop.sandbox.market.add('camera_carl', { quantity: 5, price: '30.55', sku: 'CC-5' })
    const bought = shop.sandbox.market.buy(item.itemId, { quantity: 4, also: [carls(0).itemId] })
    const { orders } = await readAll(shop)
    expect(orders).toEqual([
      {
        external_order_id: bought.orderId,
        status: 'paid',
        ordered_at: bought.createdAt,
        modified_at: bought.modifiedAt,
        lines: [
          {
            external_line_id: bought.lines[0]!.lineItemId,
            listing_id: item.itemId,
            sku: 'CC-5',
            title: expect.any(String),
            quantity: 4,
            price_minor: 3_055,
            currency: 'USD',
            cancelled: false,
          },
          expect.objectContaining({ listing_id: carls(0).itemId, quantity: 1, sku: carls(0).sku }),
        ],
        shipping: { ship_by: expect.stringMatching(/T23:59:59.000Z$/), buyer_note: null, shipped: null },
      },
    ] satisfies PlatformOrder[])
    expect(await shop.adapter.orders!.readOrder(shop.accessOf('camera_carl'), bought.orderId)).toEqual(orders[0])
  })

  it('reads every sale as an order, for its seller only', async () => {
    const shop = await start()
    shop.sandbox.market.sell(carls(3).itemId)
    expect((await readAll(shop)).orders.map((order) => order.lines[0]?.listing_id)).toEqual([carls(3).itemId])
    expect((await readAll(shop, 'vintage_vera')).orders).toEqual([])
    const [order] = shop.sandbox.market.ordersOf('camera_carl')
    expect(await shop.adapter.orders!.readOrder(shop.accessOf('vintage_vera'), order!.orderId)).toBeNull()
  })

  it('reads pages of 200, each order once', async () => {
    const items = generateShop({ count: 431 })
    const shop = await start({ usual: false, sellers: [{ username: 'big', items }] })
    for (const { itemId } of items) shop.sandbox.market.buy(itemId)
    const { pages, orders } = await readAll(shop, 'big')
    expect(pages.map((page) => page.orders.length)).toEqual([200, 200, 31])
    expect(new Set(orders.map((order) => order.lines[0]!.listing_id))).toEqual(new Set(items.map((i) => i.itemId)))
    expect(shop.sandbox.faults.count('getOrders')).toBe(3)
  })

  it('misses no order when others change during paging', async () => {
    const items = generateShop({ count: 420 })
    const shop = await start({ usual: false, sellers: [{ username: 'big', items }] })
    const made = items.slice(0, 410).map(({ itemId }) => shop.sandbox.market.buy(itemId))
    const access = shop.accessOf('big')
    const seen = new Set<string>()
    let cursor: string | null = null
    let extra = 410
    do {
      const page: OrderPage = await shop.adapter.orders!.readChanged(access, { modifiedSince: longAgo(), cursor })
      for (const order of page.orders) seen.add(order.external_order_id)
      cursor = page.nextCursor
      if (cursor !== null) shop.sandbox.market.buy(items[extra++]!.itemId)
      shop.sandbox.market.changeOrder(made[5]!.orderId, { fulfillment: 'FULFILLED' })
    } while (cursor !== null)
    expect(made.filter(({ orderId }) => !seen.has(orderId))).toEqual([])
  })

  it('returns orders changed since a time, oldest change first', async () => {
    let now = Date.parse('2026-05-01T10:00:00.000Z')
    const shop = await start({ clock: () => new Date(now) })
    const at = (minutes: number) => {
      now = Date.parse('2026-05-01T10:00:00.000Z') + minutes * 60_000
      return new Date(now).toISOString()
    }
    const [first, second, third] = [1, 2, 3].map((minute) => {
      at(minute)
      return shop.sandbox.market.buy(carls(minute).itemId).orderId
    })
    const since = at(2)
    at(4)
    shop.sandbox.market.cancelOrder(first!)
    at(5)
    const { orders } = await readAll(shop, 'camera_carl', since)
    expect(orders.map((order) => [order.external_order_id, order.status])).toEqual([
      [second, 'paid'],
      [third, 'paid'],
      [first, 'cancelled'],
    ])
  })

  it.each([
    ['FULLY_REFUNDED', 'NOT_STARTED', 'NONE_REQUESTED', 'before_shipping'],
    ['FULLY_REFUNDED', 'FULFILLED', 'NONE_REQUESTED', 'after_shipping'],
    ['FULLY_REFUNDED', 'NOT_STARTED', 'CANCELED', null],
    ['PARTIALLY_REFUNDED', 'NOT_STARTED', 'NONE_REQUESTED', null],
    ['PAID', 'NOT_STARTED', 'NONE_REQUESTED', null],
  ] as const)(
    'reads payment %s, %s, cancellation %s as refunded %s',
    async (payment, fulfillment, cancel, refunded) => {
      const shop = await start()
      const { orderId } = shop.sandbox.market.buy(carls(1).itemId, { payment })
      shop.sandbox.market.changeOrder(orderId, { cancel, fulfillment })
      const order = await shop.adapter.orders!.readOrder(shop.accessOf('camera_carl'), orderId)
      expect(order?.lines.map((line) => line.refunded ?? null)).toEqual([refunded])
    },
  )

  it.each([
    ['PAID', 'NONE_REQUESTED', 'paid'],
    ['PAID', 'IN_PROGRESS', 'paid'],
    ['PARTIALLY_REFUNDED', 'NONE_REQUESTED', 'paid'],
    ['FULLY_REFUNDED', 'NONE_REQUESTED', 'paid'],
    ['FULLY_REFUNDED', 'CANCELED', 'cancelled'],
    ['PENDING', 'CANCELED', 'cancelled'],
    ['PENDING', 'NONE_REQUESTED', 'pending'],
    ['FAILED', 'NONE_REQUESTED', 'pending'],
  ] as const)('reads payment %s with cancellation %s as %s', async (payment, cancel, status) => {
    const shop = await start()
    const { orderId } = shop.sandbox.market.buy(carls(1).itemId, { payment })
    shop.sandbox.market.changeOrder(orderId, { cancel })
    const order = await shop.adapter.orders!.readOrder(shop.accessOf('camera_carl'), orderId)
    expect(order).toMatchObject({ status, lines: [{ cancelled: status === 'cancelled' }] })
  })

  it('returns null for an unknown or malformed id', async () => {
    const { adapter, accessOf } = await start()
    const access = accessOf('camera_carl')
    expect(await adapter.orders!.readOrder(access, '99-99999-99999')).toBeNull()
    expect(await adapter.orders!.readOrder(access, 'no/such?order')).toBeNull()
  })

  it('classifies token errors, rate limits and outages', async () => {
    const shop = await start()
    const { sandbox, adapter, accessOf } = shop
    for (const [kind, failure] of [
      ['token_invalid', 'unauthorized'],
      ['rate_limit', 'rate_limited'],
      ['http_500', 'unavailable'],
      ['html_body', 'unavailable'],
      ['cut', 'unavailable'],
    ] as const) {
      sandbox.faults.set({ call: '*', kind, times: 2 })
      await expect(readAll(shop)).rejects.toMatchObject({ failure })
      await expect(adapter.orders!.readOrder(accessOf('camera_carl'), '1-1')).rejects.toMatchObject({ failure })
    }
  })
})

describe('the price of a sale', () => {
  const priceOf = (discountedLineItemCost: unknown) => {
    const lineItemCost = { value: '40.0', currency: 'GBP' }
    const order = parseOrder({
      orderId: 'x',
      creationDate: '2026-05-01T10:00:00.000Z',
      lastModifiedDate: '2026-05-01T10:00:00.000Z',
      orderPaymentStatus: 'PAID',
      lineItems: [{ lineItemId: '1', legacyItemId: '2', quantity: 2, lineItemCost, discountedLineItemCost }],
    })
    return typeof order === 'string' ? order : order.lines[0]?.price_minor
  }

  it('is what the buyer paid after discounts', () => {
    expect(priceOf({ value: '33.5', currency: 'GBP' })).toBe(1_675)
  })

  it.each([undefined, null, {}])('is the price before discounts where eBay sends no other (%o)', (sent) => {
    expect(priceOf(sent)).toBe(2_000)
  })
})

/** An order of lines of 40.00 and 25.00, as the Fulfillment API describes it, with other members. */
const orderOfTwo = (members: Record<string, unknown>, ...lines: Record<string, unknown>[]) => ({
  orderId: 'x',
  creationDate: '2026-05-01T10:00:00.000Z',
  lastModifiedDate: '2026-05-01T10:00:00.000Z',
  orderPaymentStatus: 'PAID',
  ...members,
  lineItems: [40, 25].map((cost, index) => ({
    lineItemId: `${index}`,
    legacyItemId: `9${index}`,
    quantity: 1,
    lineItemCost: { value: `${cost}.0`, currency: 'USD' },
    lineItemFulfillmentStatus: 'NOT_STARTED',
    refunds: [],
    ...lines[index],
  })),
})
const linesOf = (raw: unknown) => {
  const order = parseOrder(raw)
  return typeof order === 'string' ? [] : order.lines
}
const usd = (value: string) => ({ value, currency: 'USD' })

it('tells the size that a buyer chose, in any language', () => {
  // As the captured page of orders has them.
  const chosen = (name: string) => ({
    variationAspects: [
      { name: 'Farbe', value: 'Braun' },
      { name, value: '34x32' },
    ],
  })
  const lines = linesOf(orderOfTwo({}, chosen('Größe'), chosen('Länge')))
  expect(lines.map(({ size }) => size)).toEqual(['34x32', undefined])
})

describe('a discount of an order', () => {
  it.each([
    ['is shared by its lines', { priceDiscount: usd('-13.0') }, [3_200, 2_000]],
    ['has no cent left over', { priceDiscount: usd('-0.01') }, [3_999, 2_500]],
    ['may be the seller’s adjustment', { adjustment: usd('-6.50') }, [3_600, 2_250]],
    ['may be dearer', { adjustment: usd('6.50') }, [4_400, 2_750]],
    ['is odd', { priceDiscount: usd('some'), adjustment: {} }, [4_000, 2_500]],
  ])('%s', (_, pricingSummary, prices) => {
    expect(linesOf(orderOfTwo({ pricingSummary })).map(({ price_minor }) => price_minor)).toEqual(prices)
  })

  it('is on its lines already where one has it', () => {
    const pricingSummary = { priceDiscount: usd('-10.0') }
    const lines = linesOf(orderOfTwo({ pricingSummary }, { discountedLineItemCost: usd('30.0') }))
    expect(lines.map(({ price_minor }) => price_minor)).toEqual([3_000, 2_500])
  })
})

describe('a refund in an order of two lines', () => {
  const partly = { orderPaymentStatus: 'PARTIALLY_REFUNDED' }
  const shipped = { lineItemFulfillmentStatus: 'FULFILLED' }
  const refunds = (...values: string[]) => ({ refunds: values.map((value) => ({ amount: usd(value) })) })
  it.each([
    ['is that of its line alone', partly, [shipped, refunds('25.0')], [null, 'before_shipping']],
    ['may come in parts', partly, [refunds('15.0', '25.0')], ['before_shipping', null]],
    ['is known after shipping too', partly, [{ ...shipped, ...refunds('44.95') }], ['after_shipping', null]],
    ['is none where a part of the price is back', partly, [refunds('10.0'), refunds('5.0')], [null, null]],
    ['is told of a paid order too', {}, [{}, refunds('25.0')], [null, 'before_shipping']],
    ['may be told of the order', { ...partly, paymentSummary: refunds('40.0') }, [], ['before_shipping', null]],
    [
      'may be that of all lines at once',
      { ...partly, paymentSummary: refunds('65.0') },
      [],
      Array(2).fill('before_shipping'),
    ],
    [
      'may be that of either of two equal lines',
      { ...partly, paymentSummary: refunds('25.0') },
      [{ lineItemCost: usd('25.0') }],
      Array(2).fill('maybe_before_shipping'),
    ],
    ['is of no line where none costs that', { ...partly, paymentSummary: refunds('12.0') }, [], [null, null]],
    [
      'is of all lines of a refunded order',
      { orderPaymentStatus: 'FULLY_REFUNDED' },
      [shipped],
      ['after_shipping', 'before_shipping'],
    ],
    [
      'is none while it failed',
      { ...partly, paymentSummary: { refunds: [{ amount: usd('40.0'), refundStatus: 'FAILED' }] } },
      [],
      [null, null],
    ],
    ['may have an odd form', partly, [{ refunds: 'some' }, { refunds: [{ amount: null }] }], [null, null]],
  ])('%s', (_, members, lines, refunded) => {
    expect(linesOf(orderOfTwo(members, ...lines)).map((line) => line.refunded ?? null)).toEqual(refunded)
  })
})

describe('an unreadable order', () => {
  const good = (orderId: string) => ({
    orderId,
    creationDate: '2026-05-01T10:00:00.000Z',
    lastModifiedDate: '2026-05-01T10:00:00.000Z',
    orderPaymentStatus: 'PAID',
    lineItems: [{ lineItemId: '1', legacyItemId: '2', quantity: 1, lineItemCost: { value: '17.5', currency: 'USD' } }],
  })
  const portOver = (pages: object[]) => {
    const rest: Rest = async ({ path, schema }) =>
      schema?.parse(pages[Number(new URL(path, 'http://ebay.example').searchParams.get('offset')) / 200])
    return createOrderPort(rest)
  }
  const access = { accessToken: 't', shop: { external_id: 's', external_name: 's', url: '' } }
  const request = { modifiedSince: '2026-05-01T00:00:00Z', cursor: null }

  it('does not hide others, and fails the last call by name', async () => {
    const next = 'https://api.ebay.example/sell/fulfillment/v1/order?filter=x&limit=200&offset=200'
    const port = portOver([
      { orders: [{ ...good('bad'), lineItems: [] }, good('one')], next },
      { orders: [good('two')] },
    ])
    const first = await port.readChanged(access, request)
    const second = await port.readChanged(access, { ...request, cursor: first.nextCursor })
    expect([...first.orders, ...second.orders].map((order) => order.external_order_id)).toEqual(['one', 'two'])
    const last = port.readChanged(access, { ...request, cursor: second.nextCursor })
    await expect(last).rejects.toMatchObject({ failure: 'malformed', message: expect.stringContaining('order bad') })
  })

  it('lacks lines, a listing, units or an amount', () => {
    const line = good('x').lineItems[0]!
    const { legacyItemId, ...withoutListing } = line
    for (const lineItems of [
      [],
      [withoutListing],
      [{ ...line, quantity: 0 }],
      [{ ...line, lineItemCost: { value: 'free', currency: 'USD' } }],
    ]) {
      expect(parseOrder({ ...good('x'), lineItems })).toMatch(/^order x \(lineItem/)
    }
    expect(parseOrder(null)).toMatch(/without an id/)
    expect(parseOrder(good('x'))).toMatchObject({ status: 'paid', lines: [{ sku: null, price_minor: 1_750 }] })
  })

  it('fails like a next page that leads back or a foreign cursor', async () => {
    const port = portOver([{ orders: [], next: 'https://api.ebay.example/?offset=0' }])
    await expect(port.readChanged(access, request)).rejects.toMatchObject({ failure: 'malformed' })
    await expect(port.readChanged(access, { ...request, cursor: '{"state":"sold"}' })).rejects.toMatchObject({
      failure: 'malformed',
    })
  })
})

describe('the sandbox’s Fulfillment API', () => {
  it.each([
    ['limit=201', 31100],
    ['limit=0', 31100],
    ['offset=-1', 31000],
    ['filter=modified:[2026-01-01T00:00:00.000Z..]', 30700],
    ['filter=lastmodifieddate:[..2026-01-01T00:00:00.000Z]', 30820],
    ['filter=lastmodifieddate:[yesterday..]', 30810],
    ['filter=lastmodifieddate:[2999-01-01T00:00:00.000Z..]', 30850],
    ['filter=lastmodifieddate:[2001-01-01T00:00:00.000Z..]', 30830],
  ])('refuses %s with %i, as eBay does', async (query, errorId) => {
    const { url, accessOf } = await start()
    const headers = {
      authorization: `Bearer ${accessOf('camera_carl').accessToken}`,
      'accept-language': 'en-US',
    }
    const answer = await fetch(`${url}/sell/fulfillment/v1/order?${query}`, { headers })
    expect(answer.status).toBe(400)
    expect(await answer.json()).toMatchObject({ errors: [{ errorId }] })
  })

  it('shows orders late while its reads are stale', async () => {
    let now = Date.now()
    const shop = await start({ clock: () => new Date(now) })
    shop.sandbox.setReadLag(60_000)
    shop.sandbox.market.buy(carls(2).itemId)
    expect((await readAll(shop)).orders).toEqual([])
    now += 61_000
    expect((await readAll(shop)).orders).toHaveLength(1)
  })
})
