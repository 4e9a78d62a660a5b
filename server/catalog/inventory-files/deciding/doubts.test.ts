import { describe, expect, it } from 'vitest'
import { liveOf, useListingHarness } from '#server/selling/listings/testing/harness.ts'
import type { ImportedFile, ImportedRow } from '#shared/contract/catalog/inventory-files.ts'

const harness = useListingHarness()
const { ebay, api, newItem, list, openOperations } = harness

const call = (method: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE', path: string, body?: object) =>
  api(method, path, { headers: harness.seller.bearer, ...(body ? { body } : {}) })

async function send(csv: string, query: Record<string, string> = {}) {
  const search = new URLSearchParams({ currency: 'USD', ...query })
  const answer = await fetch(`${harness.server.url}/api/v1/inventory/import/?${search}`, {
    method: 'POST',
    headers: { ...harness.seller.bearer, 'content-type': 'text/csv' },
    body: csv,
  })
  return (await answer.json()) as ImportedFile
}
const answer = async (csv: string, answers: Record<string, string>) =>
  send(csv, { preview: (await send(csv, { dry_run: 'true' })).preview ?? '', ...answers })

const read = async (uid: string) => (await call('GET', `/api/v1/inventory/${uid}/`)).body
const count = async () => (await call('GET', '/api/v1/inventory/?page_size=100')).body.results.length
const changes = async () => (await call('GET', '/api/v1/changes/')).body.results
const codes = ({ results }: ImportedFile) => results.map(({ errors }: ImportedRow) => errors.map(({ code }) => code))
const newShirt = async (attributes: object) => {
  const uid = await newItem({ sku: 'SH-1', title: 'Wool shirt', images: [picture(1)] })
  await call('PATCH', `/api/v1/inventory/${uid}/`, { attributes })
  return uid
}
const picture = (number: number) => `https://shop.example/photo-${number}.jpg`

describe('a row without a title', () => {
  const known = () => newShirt({ brand: 'Pendleton', size: 'M', upc: '012345678905' })

  it.each([
    ['brand', 'Brand', 'Levi’s'],
    ['size', 'Size', 'XL'],
    ['product code', 'UPC', '885909950805'],
    ['product code of another kind', 'ISBN', '9780140328721'],
    ['pictures', 'Images', picture(7)],
    ['brand, beside an empty title', 'Title,Brand', ',Acme'],
  ])('is asked where the %s of its SKU is another', async (_, heading, cell) => {
    const uid = await known()
    const csv = `SKU,${heading},Description\nSH-1,${cell},Other words\n`
    expect((await send(csv)).results).toMatchObject([
      { action: 'ask', uid, errors: [{ code: 'confirm_same_item' }], like: { uid } },
    ])
    expect((await read(uid)).description).not.toContain('Other')
    expect(await answer(csv, { same: '1' })).toMatchObject({ updated: 1 })
  })

  it('changes its item where nothing contradicts it', async () => {
    const uid = await known()
    const csv = `SKU,Brand,Size,UPC,Color,Images\nSH-1,PENDLETON,m,12345678905,Red,${picture(1)} ${picture(2)}\n`
    expect(await send(csv)).toMatchObject({ updated: 1, results: [{ uid }] })
    expect(await send('SKU,Description\nSH-1,Warm\n')).toMatchObject({ updated: 1 })
    expect(await send(`uid,Brand\n${uid},Acme\n`)).toMatchObject({ updated: 1 })
  })

  it('knows its pictures after they are copied, and leaves the copies', async () => {
    const uid = await known()
    const copy = 'https://copies.example/1.jpg'
    await harness.db.none(
      `update inventory_item set images = array[$[copy]] where uid = $[uid];
       update image_copy set sources = array[$[source]], copies = array[$[copy]] where item_uid = $[uid]`,
      { uid, copy, source: picture(1) },
    )
    expect(await send(`SKU,Images\nSH-1,${picture(1)}\n`)).toMatchObject({ unchanged: 1 })
    expect((await read(uid)).record.images).toEqual([copy])
  })
})

describe('a row of a known SKU with a title', () => {
  const shirt = (title: string, attributes: object = {}) =>
    newItem({ sku: 'BIN-1', title, images: [picture(1)] }).then(async (uid) => {
      await call('PATCH', `/api/v1/inventory/${uid}/`, { attributes })
      return uid
    })

  it.each([
    ['another size, by other pictures', 'Wool shirt', 'Wool shirt', 'Size,Images', `8,${picture(7)}`],
    ['another grade', 'Charizard Base Set PSA 9', 'Charizard Base Set PSA 8', 'Color', 'Red'],
    ['another volume', 'Cookery annual, Book 1', 'Cookery annual, Book 7', 'Color', 'Red'],
    ['far more words, by other pictures', 'Nike Hoodie', 'Nike Hoodie Kids Pink Unicorn', 'Images', picture(7)],
  ])('is asked about %s', async (_, title, told, headings, cells) => {
    const uid = await shirt(title, { size: '4' })
    const csv = `SKU,Title,${headings}\nBIN-1,"${told}",${cells}\n`
    expect(await send(csv)).toMatchObject({ updated: 0, results: [{ action: 'ask', uid, like: { uid } }] })
    expect((await read(uid)).record.title).toBe(title)
  })

  it.each([
    ['a few words more', 'Wool shirt, blue', 'Images', picture(7)],
    ['a size in other words', 'Wool shirt', 'Size,Images', `Medium,${picture(7)}`],
    ['a number that it lacked', 'Wool shirt 1960s', 'Color', 'Red'],
  ])('changes its item by %s', async (_, told, headings, cells) => {
    await shirt('Wool shirt', { size: 'M' })
    expect(await send(`SKU,Title,${headings}\nBIN-1,"${told}",${cells}\n`)).toMatchObject({ updated: 1 })
  })
})

it('a row that offers a sold item by its SKU again is asked about', async () => {
  const uid = await newItem({ sku: 'BIN-1', title: 'Wool shirt', images: [picture(1)] })
  await call('POST', `/api/v1/inventory/${uid}/mark-sold/`, {})
  const csv = `SKU,Title,Price,Images\nBIN-1,Wool shirt,65.00,${picture(7)}\n`
  expect(await send(csv)).toMatchObject({ updated: 0, results: [{ action: 'ask', like: { uid } }] })
  expect(await answer(csv, { new: '1' })).toMatchObject({ created: 1 })
  expect(await send('SKU,Cost\nBIN-1,12.00\n')).toMatchObject({ updated: 1 })
})

describe('a row that names no item', () => {
  const newRow = (title: string, more: { size?: string; sku?: string } = {}) =>
    `Title,SKU,Price,Condition,Size,Images\n${title},${more.sku ?? ''},65.00,Used,${more.size ?? ''},${picture(7)}\n`

  it('is asked about the item of its title at any price, and of its SKU with other marks', async () => {
    const uid = await newItem({ sku: 'A-12', title: 'Pyrex Butterprint casserole', images: [picture(1)] })
    await call('PATCH', `/api/v1/inventory/${uid}/`, { offer: { price_minor: 1_900 } })
    const asked = { created: 0, results: [{ action: 'ask', like: { uid } }] }
    expect(await send(newRow('PYREX Butterprint casserole'))).toMatchObject(asked)
    expect(await send(newRow('Other words', { sku: 'A–12' }))).toMatchObject(asked)
    expect(await send(newRow('Pyrex Gooseberry bowl'))).toMatchObject({ created: 1 })
  })

  it('is another thing in another size', async () => {
    const uid = await newItem({ sku: 'A-12', title: 'Levis 501', images: [picture(1)] })
    await call('PATCH', `/api/v1/inventory/${uid}/`, { attributes: { size: '30x32' }, offer: { price_minor: 1_900 } })
    expect(await send(newRow('Levis 501', { size: '32x30' }))).toMatchObject({ created: 1 })
  })
})

describe('changes of a file', () => {
  it('besides prices are listed, and undone', async () => {
    const uid = await newShirt({ size: 'M' })
    const before = await read(uid)
    const file = await send(
      `uid,SKU,Title,Description,Brand,Color,Images\n${uid},SH-2,Wool shirt,Warm,Acme,Red,${picture(1)} ${picture(2)}\n`,
    )
    expect(file).toMatchObject({ updated: 1 })
    const [change] = await changes()
    expect(change).toMatchObject({ kind: 'edit_items', count: 1, inventory_item_uid: uid, can_undo: true })
    const step = await harness.db.one('select before, after from undo_step where change_uid = $1', [change.uid])
    expect(step).toMatchObject({
      before: { sku: 'SH-1', 'attributes.brand': null },
      after: { edited: { sku: 'SH-2', 'attributes.brand': 'Acme' } },
    })
    await call('PATCH', `/api/v1/inventory/${uid}/`, { offer: { price_minor: 4_400 } })
    expect(await call('POST', `/api/v1/changes/${change.uid}/undo/`)).toMatchObject({
      status: 200,
      body: { undone: 1 },
    })
    const { sku, description, attributes, record } = await read(uid)
    expect([sku, description, attributes, record.images]).toEqual([
      ...[before.sku, before.description, before.attributes, before.record.images],
    ])
    expect(record.offer.price_minor).toBe(4_400)
  })

  it('stay where a value or the SKU was changed or taken since', async () => {
    const uid = await newItem({ sku: 'SH-1', title: 'Wool shirt', images: [picture(1)] })
    await send(`uid,SKU\n${uid},SH-2\n`)
    await newItem({ sku: 'SH-1', title: 'Lamp' })
    const [{ uid: ofSku }] = await changes()
    expect(await call('POST', `/api/v1/changes/${ofSku}/undo/`)).toMatchObject({ status: 409 })
    await send('SKU,Description\nSH-2,Warm\n')
    await call('PATCH', `/api/v1/inventory/${uid}/`, { description: 'Cold' })
    const [{ uid: ofText }] = await changes()
    expect(await call('POST', `/api/v1/changes/${ofText}/undo/`)).toMatchObject({ status: 409 })
    expect(await read(uid)).toMatchObject({ sku: 'SH-2', description: 'Cold' })
  })
})

describe('a row with the picture of an item', () => {
  const heading = 'SKU,Title,Price,Condition,Images,UPC'
  const known = () => newShirt({ upc: '012345678905' })

  it('is asked although title, SKU and price are others', async () => {
    const uid = await known()
    const file = await send(`${heading}\nLMP-9,Brass lamp,60,Used,${picture(1)} ${picture(9)},\n`)
    expect(file.results).toMatchObject([{ action: 'ask', errors: [{ code: 'confirm_same_item' }], like: { uid } }])
    expect(await count()).toBe(1)
  })

  it.each([
    ['its product code is another', `LMP-9,Brass lamp,300,Used,${picture(1)},885909950805\n`],
    ['rows share it', `LMP-9,Brass lamp,300,Used,${picture(1)},\nCUP-2,Tin cup,9,Used,${picture(1)},\n`],
  ])('is added where %s', async (_, rows) => {
    await known()
    expect(await send(`${heading}\n${rows}`)).toMatchObject({ asked: 0, failed: 0 })
  })

  it('is added where items share it', async () => {
    await known()
    await newItem({ sku: 'SH-2', title: 'Tin cup', images: [picture(1)] })
    expect(await send(`${heading}\nLMP-9,Brass lamp,300,Used,${picture(1)},\n`)).toMatchObject({ created: 1 })
  })
})

describe('a row that is sold there', () => {
  it('asks to end the listings of an item for sale', async () => {
    const uid = await newItem({ sku: 'KET-01', title: 'Enamel kettle' })
    await list(uid)
    const csv = 'SKU,Title,Price,Status\nKET-01,Enamel kettle,1,Sold\n'
    expect((await send(csv)).results).toMatchObject([
      {
        ...{ action: 'ask', uid, errors: [{ field: 'state', code: 'confirm_end_listing' }] },
        ...{ changes: [{ field: 'state', from: 'available', to: 'withdrawn' }], listings: [{ to: null }] },
      },
    ])
    expect(liveOf(ebay, uid)).toHaveLength(1)
    expect(await answer(csv, { confirm: '1' })).toMatchObject({ updated: 1 })
    await expect.poll(() => openOperations(uid)).toEqual([])
    expect(liveOf(ebay, uid)).toHaveLength(0)
    expect((await read(uid)).record).toMatchObject({ lifecycle: { state: 'withdrawn' }, offer: { price_minor: 4_250 } })
    expect(await changes()).toMatchObject([{ kind: 'withdraw', inventory_item_uid: uid }])
    expect(codes(await send(csv))).toEqual([['left_out']])
  })

  it('is asked without listings, by its uid or its earlier row', async () => {
    const uid = await newItem({ sku: null, title: 'Enamel kettle' })
    expect(codes(await send(`uid,Sold date\n${uid},2026-11-20\n`))).toEqual([['confirm_end_listing']])
    const row = (status: string) => `Title,Price,Condition,Images,Status\nTin cup,9,Used,${picture(3)},${status}\n`
    expect(await send(row('Listed'))).toMatchObject({ created: 1 })
    expect(codes(await send(row('Sold')))).toEqual([['confirm_end_listing']])
    expect(await answer(row('Sold'), { confirm: '1' })).toMatchObject({ updated: 1 })
  })

  it('asks which item it is where its title is another', async () => {
    const uid = await newItem({ sku: 'SHELF-1', title: 'Enamel kettle' })
    const csv = 'SKU,Title,Sold\nSHELF-1,Brass lamp,yes\n'
    expect(codes(await send(csv))).toEqual([['confirm_same_item', 'confirm_end_listing']])
    expect(await answer(csv, { new: '1', confirm: '1' })).toMatchObject({ failed: 1, created: 0 })
    expect((await read(uid)).record.lifecycle.state).toBe('available')
  })

  it('is left out where another row offers the item, or it is unknown', async () => {
    await newItem({ sku: 'KET-01', title: 'Enamel kettle' })
    const file = await send('SKU,Status\nKET-01,Sold\nKET-01,Listed\nCUP-02,Sold\n')
    expect(codes(file)).toEqual([['left_out'], [], ['left_out']])
  })
})

describe('a new price of an item that is live on Poshmark', () => {
  it('is asked, and leaves the listing', async () => {
    const uid = await newItem({ sku: 'KET-01', title: 'Enamel kettle' })
    await list(uid)
    await expect.poll(() => openOperations(uid)).toEqual([])
    await harness.db.none(
      `insert into channel_listing (user_id, seller_account_uid, platform, listing_id, item_uid, url, state, price_minor, currency, observed_at)
       select user_id, seller_account_uid, 'poshmark', 'p-1', item_uid, 'https://poshmark.com/listing/p-1', 'available', 4250, 'USD', now()
       from channel_listing where item_uid = $1`,
      [uid],
    )
    const csv = 'SKU,Price\nKET-01,30\n'
    const file = await send(csv)
    expect(codes(file)).toEqual([['confirm_live_price']])
    expect(file.results[0]).toMatchObject({
      errors: [{ message: expect.stringContaining('Poshmark') }],
      listings: [
        { platform: 'ebay', from: '42.50', to: '30.00' },
        { platform: 'poshmark', from: '42.50', to: '42.50' },
      ],
    })
    expect(await answer(csv, { confirm_prices: 'true' })).toMatchObject({ updated: 1 })
  })
})

it.each(['0', '0.00', '$0'])('leaves out a new item with the price %s', async (price) => {
  const row = (state: string) => `Title,Price,Condition,Images,State\nTin cup,${price},Used,${picture(3)},${state}\n`
  expect(codes(await send(row('')))).toEqual([['left_out']])
  expect(await send(row('withdrawn'))).toMatchObject({ created: 1 })
})
