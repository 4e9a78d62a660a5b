import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { afterEach, describe, expect, it } from 'vitest'
import { plainListing, plainProduct } from '#server/sandbox/etsy/listing.ts'
import { type Published, readPublished } from '#server/sandbox/kit/published.ts'
import { readReceipt } from './read-receipt.ts'
import { ReceiptsAnswer } from './receipt-wire.ts'
import { client, startEtsySandbox } from './testing/etsy-sandbox.ts'

/*
 * Checks orders against Etsy's published documents and recorded answers.
 *
 * | capture                                  | orders | read correctly                                              |
 * |------------------------------------------|--------|-------------------------------------------------------------|
 * | getShopReceipts, one page (2023)         | 5 of 5 | ids, lines, prices, times, a full refund; none has a SKU    |
 * | a receipt, paid and unshipped, EUR (2024)| 1 of 1 | the same from ISO times, with its SKU, before discounts     |
 */
const specs = new URL('../../../../shared/data/etsy-specs/', import.meta.url)
const samples = new URL('../../../../shared/data/etsy-samples/', import.meta.url)
const files = existsSync(specs) ? readdirSync(specs).filter((name) => name.endsWith('.json')) : []

const closing: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
})

async function start(document?: Published) {
  const listing = plainListing({ listingId: 101, products: [plainProduct({ quantity: 500, sku: 'A' })] })
  const running = await startEtsySandbox({
    usual: false,
    shops: [{ shopName: 'DocDinaShop', listings: [listing] }],
    document,
  })
  closing.push(() => running.sandbox.close())
  return running
}

describe.skipIf(files.length === 0)(
  'Etsy’s published documents, on orders (skipped where ../shared/data is absent)',
  () => {
    describe.each(files.length === 0 ? ['absent'] : files)('%s', (name) => {
      const read = () => readPublished(JSON.parse(readFileSync(new URL(name, specs), 'utf8')))

      it('allows every request of the adapter', async () => {
        const { sandbox, adapter, accessOf } = await start(read())
        const access = accessOf('DocDinaShop')
        const ids = Array.from({ length: 130 }, () => sandbox.market.buy(101).receiptId)
        let cursor: string | null = null
        do {
          const page = await adapter.orders!.readChanged(access, { modifiedSince: '1970-01-01T00:00:00Z', cursor })
          cursor = page.nextCursor
        } while (cursor !== null)
        await adapter.orders!.readOrder(access, String(ids[0]))
        expect(sandbox.violations).toEqual([])
        expect(sandbox.faults.count('getShopReceipts')).toBeGreaterThan(1)
        expect(sandbox.faults.count('getShopReceipt')).toBe(1)
      })

      it('describes every answer of the sandbox', async () => {
        const document = read()
        const { sandbox, url } = await start()
        const { market } = sandbox
        const ids = Array.from({ length: 5 }, (_, index) => market.buy(101, { paid: index > 0 }).receiptId)
        market.ship(ids[1]!)
        market.cancel(ids[2]!)
        market.refund(ids[3]!)
        market.refund(ids[4]!, 100)
        const authorization = `Bearer ${sandbox.grant('DocDinaShop').access_token}`
        const headers = { 'x-api-key': `${client.clientId}:${client.clientSecret}`, authorization }
        const faultsAt = async (operation: string, path: string) => {
          const response = await fetch(`${url}/v3/application/shops${path}`, { headers })
          const faults = document.checkAnswer(operation, response.status, await response.json())
          // Measured: Etsy's statuses begin with a capital, unlike the document's.
          return faults.filter((fault) => !/\.status is "[A-Z]/.test(fault))
        }
        const shop = `/${market.shopNamed('DocDinaShop')!.shopId}`
        expect(await faultsAt('getShopReceipts', `${shop}/receipts?sort_on=updated&sort_order=asc`)).toEqual([])
        for (const id of ids) expect(await faultsAt('getShopReceipt', `${shop}/receipts/${id}`)).toEqual([])
        expect(await faultsAt('getShopReceipt', `${shop}/receipts/1`)).toEqual([])
        expect(await faultsAt('getShopReceipts', `${shop}/receipts?limit=101`)).toEqual([])
        expect(await faultsAt('getShopReceipts', '/1/receipts')).toEqual([])
        expect(document.scopesOf('getShopReceipts')).toEqual(['transactions_r'])
        expect(document.scopesOf('getShopReceipt')).toEqual(['transactions_r'])
      })

      it.each([
        'min_last_modified=5',
        'limit=101',
        'sort_on=modified',
        'sort_order=newest',
        'since=1',
        'was_paid=maybe',
      ])('refuses a list with %s, as the sandbox does', async (query) => {
        const path = '/v3/application/shops/31000001/receipts'
        expect(read().checkRequest({ method: 'GET', path, query: new URLSearchParams(query) })).toHaveLength(1)
        const { sandbox, url } = await start()
        const authorization = `Bearer ${sandbox.grant('DocDinaShop').access_token}`
        const headers = { 'x-api-key': `${client.clientId}:${client.clientSecret}`, authorization }
        expect((await fetch(`${url}${path}?${query}`, { headers })).status).toBe(400)
      })
    })
  },
)

describe.skipIf(!existsSync(samples))('recorded orders of Etsy (skipped where ../shared/data is absent)', () => {
  const sample = (name: string) => JSON.parse(readFileSync(new URL(`${name}.json`, samples), 'utf8'))
  const orderOf = (raw: unknown) => {
    const read = readReceipt(raw)
    if ('field' in read) throw new Error(`unreadable: ${read.field}`)
    return read.order
  }

  it('read five orders of 2023, one of them refunded', () => {
    const { count, results } = ReceiptsAnswer.parse(sample('getShopReceipts_page_real_2023_a'))
    const orders = results.map(orderOf)
    expect(count).toBe(10)
    expect(orders.map(({ external_order_id, status, lines }) => [external_order_id, status, lines.length])).toEqual([
      ['3021745515', 'cancelled', 1],
      ['3028136742', 'paid', 2],
      ['3025883520', 'paid', 1],
      ['3013648403', 'paid', 1],
      ['3010952128', 'paid', 1],
    ])
    expect(orders[1]).toEqual({
      external_order_id: '3028136742',
      status: 'paid',
      ordered_at: '2023-09-25T07:47:17.000Z',
      modified_at: '2023-09-29T12:09:26.001Z',
      lines: ['3735472784', '3735472782'].map((external_line_id) => ({
        external_line_id,
        listing_id: '1572338361',
        sku: null,
        quantity: 1,
        price_minor: 15_000,
        currency: 'USD',
        cancelled: false,
      })),
    })
    expect(JSON.stringify(orders)).not.toMatch(/example\.com|Notreal|Sample|Springfield|TRACK/)
  })

  it('read SKU and price before discounts of an order in EUR', () => {
    expect(orderOf(sample('receipt_paid_unshipped_EUR_real_2024_1'))).toEqual({
      external_order_id: '3228083899',
      status: 'paid',
      ordered_at: '2024-03-07T16:24:30.000Z',
      modified_at: '2024-03-07T16:24:37.001Z',
      lines: [
        {
          external_line_id: '4005048827',
          listing_id: '1654741347',
          sku: '600422359200014',
          quantity: 1,
          price_minor: 2_550,
          currency: 'EUR',
          cancelled: false,
        },
      ],
    })
  })
})
