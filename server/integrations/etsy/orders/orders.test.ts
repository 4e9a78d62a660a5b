import { afterEach, describe, expect, it } from 'vitest'
import type { PlatformOrder, ShopAccess } from '#server/integrations/port.ts'
import { plainListing, plainProduct } from '#server/sandbox/etsy/listing.ts'
import { type RunningEtsySandbox, startEtsySandbox } from '../testing/etsy-sandbox.ts'

const shopName = 'OrderOliveShop'
const startMs = Date.UTC(2026, 5, 1, 12)
const startSeconds = startMs / 1_000

let nowMs = startMs
let running: RunningEtsySandbox
let access: ShopAccess
afterEach(() => running?.sandbox.close())

/** Starts a shop with `count` listings of many units, on a clock that the test moves. */
async function start(count = 3) {
  nowMs = startMs
  running = await startEtsySandbox({
    usual: false,
    clock: () => new Date(nowMs),
    shops: [
      {
        shopName,
        listings: Array.from({ length: count }, (_, index) =>
          plainListing({ listingId: 101 + index, products: [plainProduct({ quantity: 9_000, sku: `S&${index}` })] }),
        ),
      },
    ],
  })
  access = running.accessOf(shopName)
  return running.sandbox
}

const later = (seconds: number) => {
  nowMs += seconds * 1_000
}
const orders = () => running.adapter.orders!
const since = (seconds: number) => new Date((startSeconds + seconds) * 1_000).toISOString()

/** Reads all pages of orders, including repeated ones. Calls `between` before each page but the first. */
async function readAll(modifiedSince: string, between: (page: number) => void = () => {}): Promise<PlatformOrder[]> {
  const read: PlatformOrder[] = []
  let cursor: string | null = null
  for (let page = 0; page < 100; page++) {
    if (page > 0) between(page)
    const answer = await orders().readChanged(access, { modifiedSince, cursor })
    read.push(...answer.orders)
    cursor = answer.nextCursor
    if (cursor === null) return read
  }
  throw new Error('the list does not end')
}
const idsOf = (read: PlatformOrder[]) => [...new Set(read.map(({ external_order_id }) => external_order_id))].sort()

describe('an order of Etsy', () => {
  it('has its lines with exact unit prices and SKUs', async () => {
    const sandbox = await start()
    sandbox.market.change(102, { products: [plainProduct({ amount: 1_999, quantity: 5, sku: '' })] })
    later(60)
    const receipt = sandbox.market.buy(101, { quantity: 3, and: [102] })
    later(5)
    sandbox.market.ship(receipt.receiptId)
    const [order, ...others] = await readAll(since(0))
    expect(others).toEqual([])
    expect(order).toEqual({
      external_order_id: String(receipt.receiptId),
      status: 'paid',
      ordered_at: '2026-06-01T12:01:00.000Z',
      modified_at: '2026-06-01T12:01:05.001Z',
      lines: [
        {
          external_line_id: String(receipt.lines[0]!.transactionId),
          listing_id: '101',
          sku: 'S&0',
          title: 'Listing 101',
          quantity: 3,
          price_minor: 2_000,
          currency: 'USD',
          cancelled: false,
        },
        {
          external_line_id: String(receipt.lines[1]!.transactionId),
          listing_id: '102',
          sku: null,
          title: 'Listing 102',
          quantity: 1,
          price_minor: 1_999,
          currency: 'USD',
          cancelled: false,
        },
      ],
      shipping: {
        ship_by: '2026-06-04T12:01:00.000Z',
        buyer_note: 'Please wrap it well.',
        shipped: { at: '2026-06-01T12:01:05.000Z', carrier: 'usps', tracking_number: `SANDBOX${receipt.receiptId}` },
      },
    })
    expect(await orders().readOrder(access, String(receipt.receiptId))).toEqual(order)
  })

  it('has prices in the shop’s currency', async () => {
    const sandbox = await start()
    sandbox.market.change(101, { currency: 'JPY', divisor: 1, products: [plainProduct({ amount: 4_500 })] })
    const { receiptId } = sandbox.market.buy(101)
    expect((await orders().readOrder(access, String(receiptId)))?.lines[0]).toMatchObject({
      price_minor: 4_500,
      currency: 'JPY',
    })
  })

  it('has a later time for each status within a second', async () => {
    const sandbox = await start()
    const { receiptId } = sandbox.market.buy(101, { paid: false })
    const read = async () => (await orders().readOrder(access, String(receiptId)))!
    const seen = [await read()]
    for (const event of ['pay', 'ship', 'cancel'] as const) {
      sandbox.market[event](receiptId)
      seen.push(await read())
    }
    expect(seen.map(({ status }) => status)).toEqual(['pending', 'paid', 'paid', 'cancelled'])
    expect(seen.map(({ modified_at }) => modified_at.slice(-5))).toEqual(['.000Z', '.001Z', '.001Z', '.999Z'])
  })

  it('stays paid when it is refunded, and says whether it was shipped', async () => {
    const sandbox = await start()
    const buy = () => sandbox.market.buy(101, { quantity: 2 }).receiptId
    const kept = sandbox.market.refund(buy())
    const shipped = sandbox.market.refund(sandbox.market.ship(buy()).receiptId)
    const part = sandbox.market.refund(buy(), 500)
    const read = await readAll(since(0))
    const shown = ({ receiptId, status }: typeof kept) => {
      const order = read.find(({ external_order_id }) => external_order_id === String(receiptId))
      return [status, order?.status, order?.lines.map(({ refunded }) => refunded ?? null)]
    }
    expect(shown(kept)).toEqual(['Fully Refunded', 'paid', ['before_shipping']])
    expect(shown(shipped)).toEqual(['Fully Refunded', 'paid', ['after_shipping']])
    expect(shown(part)).toEqual(['Partially Refunded', 'paid', [null]])
  })

  it('has nothing of its buyer but the note', async () => {
    const sandbox = await start()
    const { receiptId } = sandbox.market.buy(101)
    const text = JSON.stringify([await readAll(since(0)), await orders().readOrder(access, String(receiptId))])
    const rest = text.replaceAll('"buyer_note":"Please wrap it well."', '')
    expect(rest).not.toMatch(/buyer|secret|oakdale|wrap it|10001|example\.com/i)
  })

  it('is null for unknown, foreign and malformed ids', async () => {
    const sandbox = await start()
    const other = sandbox.market.addShop({ shopName: 'OtherOttoShop' })
    sandbox.market.add(other.shopId, { listingId: 900 })
    const { receiptId } = sandbox.market.buy(900)
    expect(await orders().readOrder(access, String(receiptId))).toBeNull()
    expect(await orders().readOrder(access, '1')).toBeNull()
    sandbox.faults.resetCounts()
    for (const id of ['', '0', '../../users/me', '1?x=y', '12a'])
      expect(await orders().readOrder(access, id)).toBeNull()
    expect(sandbox.faults.count('*')).toBe(0)
    expect(await readAll(since(0))).toEqual([])
  })
})

describe('the list of changed orders', () => {
  it('has changes since a second, oldest first', async () => {
    const sandbox = await start()
    const made = [0, 1, 2, 3].map(() => {
      later(10)
      return sandbox.market.buy(101).receiptId
    })
    later(10)
    sandbox.market.ship(made[1]!)
    expect((await readAll(since(30))).map((order) => Number(order.external_order_id))).toEqual([
      made[2],
      made[3],
      made[1],
    ])
    expect(await readAll(since(51))).toEqual([])
    expect(await readAll('1999-01-01T00:00:00.000Z')).toHaveLength(4)
  })

  it('needs one call per page', async () => {
    const sandbox = await start()
    const made = Array.from({ length: 250 }, () => {
      later(1)
      return String(sandbox.market.buy(101).receiptId)
    })
    sandbox.faults.resetCounts()
    expect(idsOf(await readAll(since(0)))).toEqual(made.sort())
    expect(sandbox.faults.count('getShopReceipts')).toBe(3)
  })

  it('is complete with 330 orders in one second', async () => {
    const sandbox = await start()
    const made = Array.from({ length: 330 }, () => String(sandbox.market.buy(101).receiptId))
    expect(idsOf(await readAll(since(0)))).toEqual(made.sort())
  })

  it.each([
    ['each second', 1],
    ['all in one second', 0],
  ])('misses nothing when receipts move to its end (%s)', async (_, seconds) => {
    const sandbox = await start()
    const made = Array.from({ length: 300 }, () => {
      later(seconds)
      return sandbox.market.buy(101).receiptId
    })
    later(5)
    // After each page, ten receipts move to the end and five new ones are added.
    const read = await readAll(since(0), (page) => {
      if (page > 4) return
      for (const id of made.slice((page - 1) * 10, page * 10)) sandbox.market.ship(id)
      for (let bought = 0; bought < 5; bought++) made.push(sandbox.market.buy(101).receiptId)
    })
    expect(idsOf(read)).toEqual(made.map(String).sort())
    const last = new Map(read.map((order) => [order.external_order_id, order]))
    for (const id of made.slice(0, 10)) expect(last.get(String(id))?.modified_at).toContain('.001Z')
  })

  it('is read again when the position is lost, but not endlessly', async () => {
    const sandbox = await start()
    const made = Array.from({ length: 300 }, () => sandbox.market.buy(101).receiptId)
    later(5)
    const read = await readAll(since(0), (page) => {
      if (page === 1) for (const id of made.slice(0, 120)) sandbox.market.touch(id)
    })
    expect(idsOf(read)).toEqual(made.map(String).sort())

    later(5)
    const many = Array.from({ length: 1_500 }, () => sandbox.market.buy(102).receiptId)
    const restless = readAll(since(10), () => {
      later(1)
      for (const id of many.splice(0, 120)) sandbox.market.touch(id)
    })
    await expect(restless).rejects.toMatchObject({ failure: 'unavailable', platformCode: 'moving_list' })
  })

  it('is not complete after a short or empty page', async () => {
    const sandbox = await start()
    const made = Array.from({ length: 150 }, () => {
      later(1)
      return String(sandbox.market.buy(101).receiptId)
    })
    sandbox.faults.set({ call: 'getShopReceipts', kind: 'short_page' })
    expect(idsOf(await readAll(since(0)))).toEqual(made.sort())
    sandbox.faults.set({ call: 'getShopReceipts', kind: 'empty_page' })
    await expect(readAll(since(0))).rejects.toMatchObject({ failure: 'unavailable', platformCode: 'moving_list' })
  })

  it('fails like the adapter’s other calls', async () => {
    const sandbox = await start()
    const id = String(sandbox.market.buy(101).receiptId)
    for (const [kind, failure] of [
      ['http_500', 'unavailable'],
      ['rate_limit', 'rate_limited'],
      ['token_invalid', 'unauthorized'],
      ['truncate', 'unavailable'],
    ] as const) {
      sandbox.faults.set({ call: '*', kind })
      await expect(readAll(since(0)), kind).rejects.toMatchObject({ failure })
      sandbox.faults.set({ call: '*', kind })
      await expect(orders().readOrder(access, id), kind).rejects.toMatchObject({ failure })
    }
    const { access_token } = sandbox.grant(shopName, ['shops_r'])
    const narrow = { ...access, accessToken: access_token }
    await expect(orders().readChanged(narrow, { modifiedSince: since(0), cursor: null })).rejects.toMatchObject({
      failure: 'unauthorized',
    })
  })
})
