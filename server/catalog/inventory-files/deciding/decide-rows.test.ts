import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { buildAccount, type TestAccount } from '#e2e/harness/account.ts'
import { apiOf } from '#e2e/harness/api.ts'
import { startTestServer, type TestServer } from '#e2e/harness/server.ts'
import type { ImportedRow } from '#shared/contract/catalog/inventory-files.ts'

let server: TestServer
let seller: TestAccount
beforeAll(async () => {
  server = await startTestServer({ works: false })
})
afterAll(() => server?.close())
beforeEach(async () => {
  seller = await buildAccount(server.services.db)
})

const call = (method: string, path: string, body?: unknown) =>
  apiOf(server.url)(method, path, { headers: seller.key, body })
const items = async () => (await call('GET', '/api/v1/inventory/?page_size=100')).body.results

async function upload(csv: string, query = '') {
  const answer = await fetch(`${server.url}/api/v1/inventory/import/${query}`, {
    method: 'POST',
    headers: { ...seller.key, 'content-type': 'text/csv; charset=utf-8' },
    body: csv,
  })
  return { status: answer.status, body: await answer.json() }
}

const create = async (given: object = {}) =>
  (
    await call('POST', '/api/v1/inventory/', {
      ...{ sku: 'KET-01', title: 'Enamel kettle', images: ['https://pictures.example/1.jpg'] },
      ...{ condition: { label: 'Used' }, offer: { price_minor: 3_000, currency: 'USD' } },
      ...given,
    })
  ).body

/** The answer without what differs between a dry run and the import. */
const comparable = ({ results }: { results: ImportedRow[] }) =>
  results.map(({ uid: _, ...row }) => ({ ...row, changes: row.changes ?? [] }))

describe('a file of sales', () => {
  it("of Etsy's sold items changes no item, and is named", async () => {
    const { uid, version } = await create()
    const answer = await upload(
      'Sale Date,Item Name,Buyer,Quantity,Price,Item Total,Currency,Transaction ID,Listing ID,Order ID,SKU\n' +
        '11/02/26,Enamel Kettle,vera,1,28.35,28.35,USD,41,14,38,KET-01\n',
    )
    expect(answer).toMatchObject({ status: 400, body: { code: 'file_not_stock', file_kind: 'sales' } })
    expect(answer.body.detail).toContain("This is Etsy's list of sold items. Hapax reads stock")
    expect((await call('GET', `/api/v1/inventory/${uid}/`)).body).toMatchObject({ version })
  })
})

describe('an own sheet with sold and several pieces', () => {
  it('adds only the item that is for sale', async () => {
    const { body } = await upload(
      'SKU,Title,Price,Condition,Images,Status,Quantity,Date Sold,Sold On\n' +
        'J-1,Denim jacket,55,Used,https://a.example/1.jpg,Sold,0,11/18/2026,Poshmark\n' +
        'J-2,Corduroy jacket,48,Used,https://a.example/2.jpg,Listed,1,,\n' +
        'J-3,Three hats,30,Used,https://a.example/3.jpg,Listed,3,,\n' +
        'J-4,Draft,30,Used,https://a.example/4.jpg,Draft,1,,\n',
      '?currency=USD',
    )
    expect(body).toMatchObject({ kind: 'stock', created: 1, failed: 3 })
    expect(body.results.map(({ errors }: ImportedRow) => errors[0]?.message)).toEqual([
      ...['is sold there', undefined, 'offers more than one', 'has the status "Draft" there'],
    ])
    expect((await items()).map(({ sku }: { sku: string }) => sku)).toEqual(['J-2'])
  })

  it('changes nothing unasked of a known item that the sheet calls sold', async () => {
    await create()
    const { body } = await upload('SKU,Title,Price,Status\nKET-01,Sold kettle,1,Sold\n')
    expect(body).toMatchObject({ updated: 0, asked: 1, results: [{ action: 'ask' }] })
    expect((await items())[0].record.title).toBe('Enamel kettle')
  })
})

describe('an export that comes back', () => {
  it('leaves a sold item as it is, even where its row was edited, and says so', async () => {
    const { uid } = await create()
    expect((await call('POST', `/api/v1/inventory/${uid}/mark-sold/`, {})).status).toBe(200)
    const csv = await (await fetch(`${server.url}/api/v1/inventory/export/`, { headers: seller.key })).text()
    for (const edited of [csv, csv.replace('Enamel kettle', 'Other kettle')]) {
      const { body } = await upload(edited)
      expect(body).toMatchObject({ unchanged: 1, updated: 0, failed: 0, ignored_columns: [] })
      expect(body.results).toMatchObject([
        { action: 'none', uid, errors: [{ code: 'left_out', message: 'is sold there' }] },
      ])
    }
    expect((await items())[0].record.title).toBe('Enamel kettle')
  })
})

describe('the currency of a row', () => {
  it.each([
    ['a column', 'SKU,Price,Currency\nKET-01,45.00,EUR\n', ''],
    ['a column alone', 'SKU,Currency\nKET-01,EUR\n', ''],
    ['a sign', 'SKU,Price\nKET-01,45.00 €\n', ''],
    ['the heading', 'SKU,Price (EUR)\nKET-01,45.00\n', ''],
    ['the request', 'SKU,Price\nKET-01,45.00\n', '?currency=EUR'],
    [
      "eBay's first column",
      '*Action(SiteID=Germany|Currency=EUR),CustomLabel,*Title,*StartPrice\nAdd,KET-01,Kessel,"45,00"\n',
      '',
    ],
  ])('that %s names fails beside another of the item', async (_, csv, query) => {
    const { uid } = await create()
    for (const dryRun of [true, false]) {
      const answer = await upload(csv, dryRun ? `${query || '?'}${query ? '&' : ''}dry_run=true` : query)
      expect(answer.body.results).toMatchObject([
        {
          action: 'fail',
          errors: [
            {
              ...{ field: 'currency', code: 'currency_differs' },
              message: 'is EUR in the file and USD in Hapax. Change it in Hapax first, or the file',
            },
          ],
        },
      ])
    }
    const { record } = (await call('GET', `/api/v1/inventory/${uid}/`)).body
    expect(record.offer).toMatchObject({ price_minor: 3_000, currency: 'USD' })
  })

  it('that nothing names is that of the item', async () => {
    await create({ offer: { price_minor: 5_000, currency: 'JPY' } })
    const { body } = await upload('SKU,Price\nKET-01,4500\n')
    expect(body).toMatchObject({ updated: 1, results: [{ changes: [{ field: 'price', from: '5000', to: '4500' }] }] })
  })

  it('of a new item is that of its column, else the heading, else the request', async () => {
    const rows = 'A,Coat,45,Used,https://a.example/1.jpg'
    const add = async (heading: string, row: string) => {
      await upload(`SKU,Title,${heading}\n${row}\n`, '?currency=USD')
      const [item] = await items()
      await call('DELETE', `/api/v1/inventory/${item.uid}/`)
      return item.record.offer.currency
    }
    expect(await add('Price (GBP),Condition,Images,Currency', `${rows},EUR`)).toBe('EUR')
    expect(await add('Price (GBP),Condition,Images', rows)).toBe('GBP')
    expect(await add('Price,Condition,Images', rows)).toBe('USD')
  })
})

describe('a currency sign', () => {
  const usual = (default_currency: string | null) => call('PUT', '/api/v1/user/settings/', { default_currency })
  let added = 0
  const add = async (price: string, heading = 'Price', query = '', more = '') => {
    const row = `Coat A${++added},${price},Used,https://a.example/${added}.jpg`
    const csv = `Title,${heading},Condition,Images${more && ',Currency'}\n${row}${more && `,${more}`}\n`
    return (await upload(csv, query)).body.results[0]
  }
  const wrong = { action: 'fail', errors: [{ field: 'currency', code: 'currency_differs' }] }

  it.each([
    ['USD', '¥50'],
    ['USD', 'kr 50'],
    ['GBP', 'Rs. 450'],
    ['EUR', '$45'],
  ])('of other currencies than the account, %s, fails as %s', async (currency, price) => {
    await usual(currency)
    const row = await add(price)
    expect(row).toMatchObject(wrong)
    expect(row.errors[0].message).toContain(`is not ${currency} in "${price}"`)
    expect(await items()).toEqual([])
  })

  it.each([
    ['USD', '$50'],
    ['AUD', '$50'],
    ['MXN', 'MX$50'],
    ['JPY', '¥50'],
    ['CNY', '￥50'],
    ['NOK', '50 kr'],
    ['PKR', 'Rs. 50'],
  ])('that can mean %s is that, as %s', async (currency, price) => {
    await usual(currency)
    expect(await add(price)).toMatchObject({ action: 'create' })
    expect((await items())[0].record.offer.currency).toBe(currency)
  })

  it.each([
    ['GBP', '£30'],
    ['PLN', '250 zł'],
    ['CAD', 'CAD 45'],
    ['AUD', 'A$ 45'],
  ])('that means %s alone is that in any account, as %s', async (currency, price) => {
    await usual('USD')
    expect(await add(price)).toMatchObject({ action: 'create' })
    expect((await items())[0].record.offer.currency).toBe(currency)
  })

  it.each([
    ['the request', ['$45', 'Price', '?currency=EUR']],
    ['the heading', ['£45', 'Price (EUR)', '']],
    ['the column', ['¥45', 'Price', '', 'EUR']],
    ['the price, beside a cost', ['€45,$5', 'Price,Cost', '']],
    ['the account, in the heading', ['45', 'Price ($)', '']],
    ['the account, in the column', ['45', 'Price', '', '$']],
    ['the account, at the cost', ['45,£5', 'Price,Cost', '']],
  ])('that contradicts %s fails', async (_, [price = '', ...given]) => {
    await usual('EUR')
    expect(await add(price, ...given)).toMatchObject(wrong)
  })

  it('counts where a column names its currency, or nothing does', async () => {
    await usual('USD')
    expect(await add('£30', 'Price', '', 'GBP')).toMatchObject({ action: 'create' })
    expect(await add('30', 'Price', '', '$')).toMatchObject({ action: 'create' })
    await usual(null)
    expect(await add('£30')).toMatchObject({ action: 'create' })
    expect(await add('¥50')).toMatchObject({ action: 'fail', errors: [{ code: 'required' }] })
  })

  it.each(['¥50', 'kr 50', '$45 CAD'])('of another currency than the item leaves its price, as %s', async (price) => {
    const { uid } = await create()
    for (const csv of [`SKU,Price\nKET-01,${price}\n`, `SKU,Cost\nKET-01,${price}\n`])
      expect((await upload(csv)).body.results).toMatchObject([wrong])
    expect((await call('GET', `/api/v1/inventory/${uid}/`)).body.record.offer.price_minor).toBe(3_000)
  })
})

describe('a dry run', () => {
  it('shows old and new values of every column, and the import does the same', async () => {
    await create({ description: 'Blue', attributes: { cost_minor: 500 } })
    const given: Record<string, string>[] = [
      {
        ...{ sku: 'KET-01', title: 'Kettle', description: '', price: '31.5', currency: 'USD', condition: 'Good' },
        ...{ images: 'https://pictures.example/2.jpg', brand: 'Ajax', size: '1.5 l', cost: '6', state: 'withdrawn' },
        ...{ status: '', quantity: '1' },
      },
      {
        ...{
          sku: 'NEW-1',
          title: ' New  ',
          description: 'Red',
          price: '12',
          currency: 'USD',
          condition: 'Used',
          images: 'https://a.example/1.jpg',
        },
        ...{ brand: '', size: '', cost: '', state: '', status: 'Active', quantity: '' },
      },
      { sku: 'NEW-2', title: 'Gone', price: '12', currency: 'USD', condition: 'Used', status: 'Sold' },
      { sku: 'KET-01', title: 'Twice', price: '12', currency: 'USD' },
    ]
    const names = Object.keys(given[0]!)
    const line = (cells: string[]) => cells.map((cell) => `"${cell}"`).join(',')
    const rows = given.map((row) => line(names.map((name) => row[name] ?? '')))
    const csv = `${[line(names), ...rows].join('\n')}\n`
    const dry = (await upload(csv, '?dry_run=true')).body
    expect(dry.results[0].changes).toEqual([
      { field: 'title', from: 'Enamel kettle', to: 'Kettle' },
      { field: 'description', from: 'Blue', to: null },
      { field: 'price', from: '30.00', to: '31.50' },
      { field: 'state', from: 'available', to: 'withdrawn' },
      { field: 'condition', from: 'Used', to: 'Good' },
      { field: 'images', from: 'https://pictures.example/1.jpg', to: 'https://pictures.example/2.jpg' },
      { field: 'brand', from: null, to: 'Ajax' },
      { field: 'size', from: null, to: '1.5 l' },
      { field: 'cost', from: '5.00', to: '6.00' },
    ])
    const real = (await upload(csv)).body
    expect(comparable(real)).toEqual(comparable(dry))
    expect(real).toMatchObject({ updated: 1, created: 1, failed: 2 })
  })

  it('fails the row whose SKU another item has, and the row for which there is no room', async () => {
    const limit = server.services.config.QUOTA_ITEMS
    Object.assign(server.services.config, { QUOTA_ITEMS: 3 })
    try {
      const { uid } = await create()
      await create({ sku: 'TAKEN' })
      const csv =
        'uid,SKU,Title,Price,Currency,Condition,Images\n' +
        `${uid},TAKEN,Kettle,30,USD,Used,https://a.example/1.jpg\n` +
        ',N-1,One,30,USD,Used,https://a.example/1.jpg\n,N-2,Two,30,USD,Used,https://a.example/1.jpg\n'
      const dry = (await upload(csv, '?dry_run=true')).body
      expect(dry.results.map(({ errors }: ImportedRow) => errors[0]?.code)).toEqual([
        ...['sku_in_use', undefined, 'quota_exceeded'],
      ])
      expect(comparable((await upload(csv)).body)).toEqual(comparable(dry))
    } finally {
      Object.assign(server.services.config, { QUOTA_ITEMS: limit })
    }
  })

  it('shows the values of a new item as they are kept', async () => {
    const csv = 'SKU,Titel,Preis,Bilder\nN-1,Mantel,"1.234,50 €",https://a.example/1.jpg\n'
    const dry = (await upload(csv, '?dry_run=true')).body
    expect(dry.results[0].changes).toEqual([
      { field: 'sku', from: null, to: 'N-1' },
      { field: 'title', from: null, to: 'Mantel' },
      { field: 'price', from: null, to: '1234.50' },
      { field: 'currency', from: null, to: 'EUR' },
      { field: 'condition', from: null, to: 'not stated' },
      { field: 'images', from: null, to: 'https://a.example/1.jpg' },
    ])
    expect(comparable((await upload(csv)).body)).toEqual(comparable(dry))
  })

  it('cuts long texts', async () => {
    const csv = `SKU,Title,Price,Description,Images\nN-1,Coat,1,${'x'.repeat(5_000)},https://a.example/1.jpg\n`
    const { changes } = (await upload(csv, '?dry_run=true&currency=USD')).body.results[0]
    expect(changes.find(({ field }: { field: string }) => field === 'description').to).toHaveLength(300)
  })
})

describe("eBay's German template", () => {
  it('becomes an item with its euros and two pictures', async () => {
    const { body } = await upload(
      '*Action(SiteID=Germany|Country=DE|Currency=EUR|Version=1193|CC=UTF-8);CustomLabel;*Title;*ConditionID;*C:Autor;PicURL;*Description;*StartPrice;*Quantity\n' +
        'Add;BU-77;Das Haus am Übersee;5000;Grünwald;https://a.example/1.jpg|https://a.example/2.jpg;"<p>Leinen.</p>";45,00;1\n',
    )
    expect(body).toMatchObject({ format: 'ebay', kind: 'catalog', created: 1, ignored_columns: ['*C:Autor'] })
    expect(await items()).toMatchObject([
      {
        description: 'Leinen.',
        record: {
          images: ['https://a.example/1.jpg', 'https://a.example/2.jpg'],
          offer: { price_minor: 4_500, currency: 'EUR' },
        },
      },
    ])
  })
})
