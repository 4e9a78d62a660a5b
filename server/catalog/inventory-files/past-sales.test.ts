import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { apiOf } from '#e2e/harness/api.ts'
import { buildOrder } from '#server/selling/orders/testing/fake-orders.ts'
import { type OrderHarness, type OrderSeller, startOrderHarness } from '#server/selling/orders/testing/harness.ts'
import { toReportedOrder } from '#server/selling/orders/to-reported-order.ts'
import { startOrderWorker } from '#server/selling/orders/worker.ts'
import { placeOrder } from '#server/selling/sales/testing/sell.ts'
import type { ImportedFile } from '#shared/contract/catalog/inventory-files.ts'
import type { Sale } from '#shared/contract/selling/sales.ts'

let harness: OrderHarness
let seller: OrderSeller
beforeAll(async () => {
  harness = await startOrderHarness()
})
afterAll(() => harness?.close())
beforeEach(async () => {
  seller = await harness.seller()
})

/** The 26 columns of `public/data/vendoo.csv` of btxbtwn/vendoo-analytics; the values are invented. */
const columns = [
  ...['Images', 'Title', 'Description', 'Brand', 'Condition', 'Primary Color', 'Secondary Color', 'Tags', 'Sku'],
  ...['Warehouse Location', 'Category', 'Price', 'Status', 'Listed Date', 'Sold Date', 'Shipped Date'],
  ...['Listing Platforms', 'Sold Platform', 'Internal Notes', 'Price Sold', 'Cost of Goods', 'Marketplace Fees'],
  ...['Shipping Expenses', 'Labels', 'Quantity Left', 'Quantity Sold'],
] as const
type Cells = Partial<Record<(typeof columns)[number], string>>

const day = (ago: number) => new Date(Date.now() - ago * 86_400_000).toISOString().slice(0, 10)
const coat: Cells = {
  ...{ Images: 'https://images.example/1.jpeg', Title: 'Green wool coat', Condition: 'Pre-Owned - Good', Price: '95' },
  ...{ Status: 'Sold', 'Sold Date': day(20), 'Sold Platform': 'eBay', 'Price Sold': '85', 'Cost of Goods': '12.5' },
  ...{ 'Marketplace Fees': '11.96', 'Shipping Expenses': '7.1', 'Quantity Sold': '1' },
}
const csvOf = (...rows: Cells[]) =>
  [columns, ...rows.map((row) => columns.map((name) => row[name] ?? ''))]
    .map((cells) => cells.map((cell) => `"${cell}"`).join(','))
    .join('\n')

async function send(csv: string, query: Record<string, string> = {}): Promise<ImportedFile> {
  const search = new URLSearchParams({ currency: 'USD', ...query })
  const answer = await fetch(`${harness.server.url}/api/v1/inventory/import/?${search}`, {
    method: 'POST',
    headers: { ...seller.account.key, 'content-type': 'text/csv' },
    body: csv,
  })
  return answer.json() as Promise<ImportedFile>
}
const get = async (path: string) =>
  (await apiOf(harness.server.url)('GET', path, { headers: seller.account.bearer })).body
const sales = async (): Promise<Sale[]> => (await get('/api/v1/sales/')).results
const alerts = async () => (await get('/api/v1/alarms/')).results
const states = async () =>
  (await get('/api/v1/inventory/')).results.map(
    (item: { record: { title: string; lifecycle: { state: string } } }) =>
      `${item.record.title}: ${item.record.lifecycle.state}`,
  )

/** An order of eBay as its API tells it. */
const ebayOrder = (id: string, line: Parameters<typeof buildOrder>[0]['line'] = {}, ago = 20) =>
  buildOrder({
    ...{ id, at: new Date(Date.now() - ago * 86_400_000), modified_at: new Date().toISOString() },
    line: { title: 'Green wool coat', price_minor: 8_500, ...line },
  })
/** Reads an order as polling does. */
async function read(order: ReturnType<typeof buildOrder>) {
  const reported = toReportedOrder({ platform: 'ebay', seller_account_uid: seller.shops.ebay! }, order)
  return placeOrder(harness.services.db, seller.user_id, reported)
}

describe('a sold row of a file', () => {
  it('is a sale of the past, with its costs, and sells nothing now', async () => {
    const dry = await send(csvOf(coat), { dry_run: 'true' })
    expect(dry).toMatchObject({ created: 1, sales: 1, failed: 0 })
    expect(dry.results[0]!.sale).toEqual({
      ...{ platform: 'ebay', sold_at: `${day(20)}T12:00:00.000Z`, price: '85.00', currency: 'USD' },
      ...{ fee: '11.96', shipping: '7.10' },
    })
    expect(await sales()).toEqual([])
    const { ignored_columns } = await send(csvOf(coat))
    expect(ignored_columns).toEqual(['Tags', 'Listed Date', 'Shipped Date', 'Listing Platforms'])
    expect(await sales()).toMatchObject([
      {
        ...{ title: 'Green wool coat', platform: 'ebay', sold_at: `${day(20)}T12:00:00.000Z`, told_by: 'file' },
        ...{ price_minor: 8_500, fee_minor: 1_196, fee_source: 'entered', shipping_minor: 710, cost_minor: 1_250 },
        ...{ external_order_id: null, shipment: null, ended_on: [], live_on: [] },
      },
    ])
    expect(await states()).toEqual(['Green wool coat: sold'])
    expect(await alerts()).toEqual([])
    expect((await get('/api/v1/shipments/?state=to_ship')).results).toEqual([])
    expect((await get('/api/v1/checks/')).results).toEqual([])
  })

  it('counts once however often the file is imported, also with other labels', async () => {
    const equal = { ...coat, Title: 'Plain tank', 'Price Sold': '3', 'Sold Platform': 'In-Person' }
    const file = [coat, equal, equal, equal]
    expect(await send(csvOf(...file))).toMatchObject({ created: 4, sales: 4 })
    expect(await send(csvOf(...file))).toMatchObject({ created: 0, sales: 0, unchanged: 4, failed: 0 })
    const labelled = file.map((row) => ({ ...row, Labels: 'winter', 'Cost of Goods': '13' }))
    expect(await send(csvOf(...labelled, equal))).toMatchObject({ created: 1, sales: 1, unchanged: 4 })
    expect((await sales()).map(({ platform }) => platform).sort()).toEqual([
      ...['ebay', 'outside', 'outside', 'outside', 'outside'],
    ])
  })

  it('is left out and named where the file does not say all of the sale', async () => {
    const { results, failed } = await send(
      csvOf(
        { ...coat, 'Price Sold': '' },
        { ...coat, 'Sold Platform': '', 'Sold Date': '' },
        { ...coat, 'Sold Platform': 'Vestiaire' },
        { ...coat, 'Quantity Sold': '4' },
        { ...coat, 'Sold Date': '3/4/2026' },
      ),
    )
    expect(failed).toBe(5)
    expect(results.map(({ errors }) => errors[0]!.message)).toEqual([
      'is sold there, and the file does not say for how much',
      'is sold there, and the file does not say where and when',
      'is sold there, and Hapax keeps no sales of Vestiaire',
      'is sold there, and counts 4 sold pieces',
      'is sold there, and the day "3/4/2026" can be read in two ways, or in none',
    ])
    expect(await sales()).toEqual([])
  })

  it('has a SKU that several rows share in its sale, and one item in its inventory', async () => {
    const shelf = { ...coat, Sku: 'A3' }
    expect(await send(csvOf(shelf, { ...shelf, Title: 'Brown hat' }))).toMatchObject({ created: 2, sales: 2 })
    expect((await sales()).map(({ sku }) => sku).sort()).toEqual(['A3', null])
  })

  // The columns that one public program guesses of List Perfectly, and Crosslist's export with those of a sale.
  it.each([
    ['list_perfectly', 'COGS,Sold Platform,Keywords,Image URLs,Sold Date,Sold Price', '4,Etsy,scarf,,2026-03-08,18'],
    ['crosslist', 'CategoryLabel,SizeLabel,Sold,Sold Platform,Sold Price', 'Scarves,S,2026-03-08,Etsy,18'],
  ])('is one in a file of %s, too', async (format, headings, cells) => {
    const answer = await send(`Title,Status,${headings}\nSilk scarf,Sold,${cells}\n`)
    expect(answer).toMatchObject({ format, created: 1, sales: 1 })
    expect(await sales()).toMatchObject([{ platform: 'etsy', price_minor: 1_800, sold_at: '2026-03-08T12:00:00.000Z' }])
  })

  it('ends no listing: an item that is still for sale is asked about', async () => {
    const live = await seller.item()
    await harness.services.db.none("update inventory_item set sku = 'C-1', title = 'Green wool coat' where uid = $1", [
      live.item_uid,
    ])
    const { asked, results, sales: made } = await send(csvOf({ ...coat, Sku: 'C-1' }))
    expect({ asked, made, codes: results[0]!.errors.map(({ code }) => code) }).toEqual({
      ...{ asked: 1, made: 0, codes: ['confirm_end_listing'] },
    })
    expect(await states()).toEqual(['Green wool coat: available'])
  })

  it('is taken back by undo, with its item', async () => {
    const { sales_change_uid } = await send(csvOf(coat, { ...coat, Title: 'Brown hat' }))
    await read(ebayOrder('03-9'))
    const undone = await apiOf(harness.server.url)('POST', `/api/v1/changes/${sales_change_uid}/undo/`, {
      headers: seller.account.bearer,
    })
    // The order that has joined a sale is the marketplace's own.
    expect(undone.body).toMatchObject({ undone: 1, kept: 1 })
    expect(await states()).toEqual(['Green wool coat: sold'])
    expect((await sales()).map(({ external_order_id }) => external_order_id)).toEqual(['03-9'])
    expect(await send(csvOf(coat, { ...coat, Title: 'Brown hat' }))).toMatchObject({ created: 1, unchanged: 1 })
  })
})

it('the other new items of a file are taken out again, except those that something happened to', async () => {
  const [hat, scarf] = ['Brown hat', 'Silk scarf'].map((Title) => ({ Images: coat.Images!, Title, Price: '20' }))
  const { created, added_change_uid, results } = await send(csvOf(coat, hat!, scarf!))
  expect(created).toBe(3)
  const edit = { headers: { ...seller.account.bearer, 'if-match': '*' }, body: { title: 'Silk scarf, red' } }
  await apiOf(harness.server.url)('PATCH', `/api/v1/inventory/${results[2]!.uid}/`, edit)
  expect((await get('/api/v1/changes/')).results).toContainEqual(
    expect.objectContaining({ uid: added_change_uid, kind: 'create', count: 2, can_undo: true }),
  )
  const undo = () =>
    apiOf(harness.server.url)('POST', `/api/v1/changes/${added_change_uid}/undo/`, { headers: seller.account.bearer })
  expect((await undo()).body).toMatchObject({ undone: 1, kept: 1 })
  expect(await states()).toEqual(['Silk scarf, red: available', 'Green wool coat: sold'])
  const events: { type: string }[] = (await get('/api/v1/events/?page_size=100')).results
  expect(events.filter(({ type }) => type === 'item.deleted')).toHaveLength(1)
  expect(await send(csvOf(hat!))).toMatchObject({ created: 1 })
})

describe('an order that is read after the file', () => {
  it('joins its past sale, and is no second one', async () => {
    await send(csvOf(coat))
    const order = ebayOrder('03-1')
    const { lines } = await read(order)
    expect(lines).toMatchObject([{ outcome: 'already_known', state: 'sold' }])
    expect(await sales()).toMatchObject([
      {
        ...{ external_order_id: '03-1', told_by: 'api', price_minor: 8_500, fee_minor: 1_196, shipping_minor: 710 },
        sold_at: order.ordered_at,
      },
    ])
    expect(await alerts()).toEqual([])
    expect((await get('/api/v1/orders/')).results).toMatchObject([{ external_order_id: '03-1' }])
    // The file again, the order again.
    expect(await send(csvOf(coat))).toMatchObject({ created: 0, unchanged: 1 })
    expect(await send(csvOf({ ...coat, Labels: 'winter', Price: '99' }))).toMatchObject({ created: 0, unchanged: 1 })
    await read(ebayOrder('03-1'))
    expect(await sales()).toHaveLength(1)
  })

  it('joins each of several equal sales once', async () => {
    await send(csvOf(coat, coat))
    for (const id of ['03-1', '03-2']) await read(ebayOrder(id))
    expect((await sales()).map(({ external_order_id }) => external_order_id).sort()).toEqual(['03-1', '03-2'])
    expect(await alerts()).toEqual([])
  })

  it('joins each of several equal sales in one order once', async () => {
    await send(csvOf(coat, coat))
    const order = ebayOrder('03-1')
    const [line] = order.lines
    await read({ ...order, lines: [line!, { ...line!, external_line_id: '03-1-2', listing_id: 'another' }] })
    expect((await sales()).map(({ external_order_id }) => external_order_id)).toEqual(['03-1', '03-1'])
    expect(await alerts()).toEqual([])
  })

  it.each([
    ['another price', { price_minor: 7_000 }, 20],
    ['another week', {}, 8],
    ['the SKU of a shelf', { title: 'Brown hat', sku: 'C-1' }, 20],
    ['its SKU months later', { title: null, sku: 'C-1' }, -60],
  ])('is asked about with %s, and never sold twice', async (_, line, ago) => {
    await send(csvOf({ ...coat, Sku: 'C-1', 'Sold Date': ago < 0 ? day(80) : day(20) }))
    const { lines } = await read(ebayOrder('03-1', { sku: 'C-1', ...line } as never, ago < 0 ? 1 : ago))
    expect(lines).toMatchObject([{ state: 'unmatched' }])
    const [alert, ...others] = await alerts()
    expect(others).toEqual([])
    expect(alert).toMatchObject({ kind: 'sale_unclear', candidates: [{ differs: ['past_sale'] }] })
    expect(await sales()).toHaveLength(1)
    // The answer joins them.
    const named = await apiOf(harness.server.url)('POST', `/api/v1/alarms/${alert.uid}/answer/`, {
      headers: seller.account.bearer,
      body: { item_uid: alert.candidates[0].inventory_item_uid },
    })
    expect(named.status).toBe(200)
    expect(await sales()).toMatchObject([{ external_order_id: '03-1', fee_minor: 1_196 }])
    expect(await alerts()).toEqual([])
  })

  it('leaves the past sale alone where it is another thing', async () => {
    await send(csvOf(coat))
    const { lines } = await read(ebayOrder('03-1', { title: 'Brass lamp' }))
    expect(lines).toMatchObject([{ state: 'unmatched' }])
    expect(await sales()).toMatchObject([{ external_order_id: null }])
  })
})

describe('a file that is imported after the order', () => {
  it('joins an order without an item, which is read again for its title', async () => {
    const order = ebayOrder('03-1')
    harness.ebay.put(seller.external.ebay!, order)
    await read(order)
    expect(await sales()).toEqual([])
    await send(csvOf(coat))
    const worker = startOrderWorker(harness.services, { pollMs: 50 })
    await expect.poll(async () => (await sales()).map(({ external_order_id }) => external_order_id)).toEqual(['03-1'])
    await worker.stop()
    expect(await sales()).toMatchObject([{ fee_minor: 1_196, shipping_minor: 710 }])
    expect(await alerts()).toEqual([])
  })

  it('adds no sale of an order that has sold an item of Hapax', async () => {
    const item = await seller.item()
    await harness.services.db.none("update inventory_item set title = 'Green wool coat' where uid = $1", [
      item.item_uid,
    ])
    await read(ebayOrder('03-1', { listing_id: `ebay-${item.item_uid}` }))
    expect(await sales()).toHaveLength(1)
    expect(await send(csvOf(coat))).toMatchObject({ created: 0, unchanged: 1 })
    const doubt = await send(csvOf({ ...coat, 'Price Sold': '80' }), { dry_run: 'true' })
    expect(doubt).toMatchObject({ asked: 1, results: [{ like: { uid: item.item_uid } }] })
    const answer = { preview: doubt.preview! }
    expect(await send(csvOf({ ...coat, 'Price Sold': '80' }), { ...answer, same: '1' })).toMatchObject({ sales: 0 })
    expect(await sales()).toHaveLength(1)
    expect(await send(csvOf({ ...coat, 'Price Sold': '80' }), { ...answer, new: '1' })).toMatchObject({ sales: 1 })
    expect(await sales()).toHaveLength(2)
  })
})
