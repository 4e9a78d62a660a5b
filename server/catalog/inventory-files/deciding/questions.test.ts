import { describe, expect, it } from 'vitest'
import { liveOf, useListingHarness } from '#server/selling/listings/testing/harness.ts'
import type { ImportedFile, ImportedRow } from '#shared/contract/catalog/inventory-files.ts'

const harness = useListingHarness()
const { ebay, etsy, api, newItem, list, openOperations } = harness

const call = (method: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE', path: string, body?: object) =>
  api(method, path, { headers: harness.seller.bearer, ...(body ? { body } : {}) })

async function send(csv: string, query: Record<string, string> = {}) {
  const search = new URLSearchParams({ currency: 'USD', ...query })
  const answer = await fetch(`${harness.server.url}/api/v1/inventory/import/?${search}`, {
    method: 'POST',
    headers: { ...harness.seller.bearer, 'content-type': 'text/csv' },
    body: csv,
  })
  return { status: answer.status, body: (await answer.json()) as ImportedFile }
}
const preview = async (csv: string) => (await send(csv, { dry_run: 'true' })).body
/** Imports a file with answers to its preview. */
async function answer(csv: string, answers: Record<string, string>) {
  return (await send(csv, { preview: (await preview(csv)).preview ?? '', ...answers })).body
}

const items = async () => (await call('GET', '/api/v1/inventory/?page_size=100')).body.results
const priceOf = async (uid: string) =>
  (await call('GET', `/api/v1/inventory/${uid}/`)).body.record.offer.price_minor as number
const atRest = (uid: string) => expect.poll(() => openOperations(uid)).toEqual([])
const livePrices = (uid: string) => [ebay, etsy].map((market) => liveOf(market, uid)[0]?.price_minor)
const codes = ({ results }: ImportedFile) => results.map(({ errors }: ImportedRow) => errors.map(({ code }) => code))
const changes = async () => (await call('GET', '/api/v1/changes/')).body.results
const undo = (uid: string | null | undefined) => call('POST', `/api/v1/changes/${uid}/undo/`)

async function newListed(given: Parameters<typeof newItem>[0] = {}) {
  const uid = await newItem({ sku: 'KET-01', title: 'Enamel kettle', ...given })
  await list(uid)
  await list(uid, 'etsy')
  return uid
}

describe('a new price of a listed item', () => {
  const csv = 'SKU,Price\nKET-01,45.00\n'

  it('is shown for each listing, and reaches none before it is confirmed', async () => {
    await call('PUT', '/api/v1/user/settings/', { price_rules: { ebay: { basis_points: 800, rounding: '99' } } })
    const uid = await newListed()
    const dry = await preview(csv)
    expect(dry).toMatchObject({ updated: 0, asked: 1, preview: expect.stringMatching(/^[\w-]{6}$/) })
    expect(dry.results).toMatchObject([
      {
        ...{ action: 'ask', uid, errors: [{ field: 'price', code: 'confirm_live_price' }] },
        changes: [{ field: 'price', from: '42.50', to: '45.00' }],
        listings: [
          { platform: 'ebay', from: '42.50', to: '48.99', currency: 'USD' },
          { platform: 'etsy', from: '42.50', to: '45.00', currency: 'USD' },
        ],
      },
    ])
    const { preview: _, change_uid: __, ...real } = (await send(csv)).body
    expect(real).toMatchObject({ updated: 0, asked: 1, results: dry.results })
    expect(await priceOf(uid)).toBe(4_250)
    expect(await openOperations(uid)).toEqual([])
    expect(livePrices(uid)).toEqual([4_250, 4_250])
  })

  it('is sent when it is confirmed, and undone on item and listings', async () => {
    const uid = await newListed()
    // The listing had a price of its own.
    await call('POST', `/api/v1/inventory/${uid}/platforms/etsy/price/`, { price: '50.00' })
    await atRest(uid)
    const other = await newItem({ sku: 'CUP-01', title: 'Tin cup', price_minor: 1_000 })
    const done = await answer(`${csv}CUP-01,11.00\n`, { confirm_prices: 'true' })
    expect(done).toMatchObject({ updated: 2, asked: 0, change_uid: expect.stringMatching(/^chg_/) })
    await atRest(uid)
    expect([await priceOf(uid), await priceOf(other), ...livePrices(uid)]).toEqual([4_500, 1_100, 4_500, 4_500])
    expect(await changes()).toMatchObject([{ uid: done.change_uid, kind: 'change_price', count: 2, can_undo: true }])
    expect(await undo(done.change_uid)).toMatchObject({ status: 200, body: { undone: 2, kept: 0 } })
    await atRest(uid)
    expect([await priceOf(uid), await priceOf(other), ...livePrices(uid)]).toEqual([4_250, 1_000, 4_250, 5_000])
  })

  it('is sent for the confirmed rows alone', async () => {
    const [kettle, cup] = [await newListed(), await newListed({ sku: 'CUP-01', title: 'Tin cup' })]
    const done = await answer(`${csv}CUP-01,45.00\n`, { confirm: '2-2' })
    expect(done).toMatchObject({ updated: 1, asked: 1, results: [{ action: 'ask' }, { action: 'update', uid: cup }] })
    await atRest(cup)
    expect([livePrices(kettle), livePrices(cup)]).toEqual([
      [4_250, 4_250],
      [4_500, 4_500],
    ])
  })

  it('is asked again where something has changed since the preview', async () => {
    const uid = await newListed()
    const seen = (await preview(csv)).preview!
    await call('PATCH', `/api/v1/inventory/${uid}/`, { offer: { price_minor: 4_400 } })
    await atRest(uid)
    const again = (await send(csv, { preview: seen, confirm_prices: 'true', confirm: '1' })).body
    expect(again).toMatchObject({ updated: 0, asked: 1, change_uid: null })
    expect(again.results[0]).toMatchObject({ listings: [{ from: '44.00' }, { from: '44.00' }] })
    expect(livePrices(uid)).toEqual([4_400, 4_400])
  })

  it('is confirmed only with a preview', async () => {
    await newListed()
    for (const name of ['confirm_prices', 'confirm', 'same', 'new']) {
      const answers = { [name]: name === 'confirm_prices' ? 'true' : '1' }
      expect(await send(csv, answers)).toMatchObject({ status: 400, body: { errors: [{ field: 'preview' }] } })
    }
    expect((await send(csv, { preview: 'AAAAAA', confirm_prices: 'true' })).body).toMatchObject({ asked: 1 })
  })

  it('does not ask where only the title changes, or no listing is live', async () => {
    await newListed()
    await newItem({ sku: 'CUP-01', title: 'Tin cup' })
    const done = (await send('SKU,Title,Price\nKET-01,Blue enamel kettle,42.50\nCUP-01,Tin cup,45\n')).body
    expect(done).toMatchObject({ updated: 2, asked: 0 })
  })

  it('is asked while the listing is being published', async () => {
    const uid = await newListed()
    await atRest(uid)
    await harness.db.none(
      `update channel_listing set state = 'removed' where item_uid = $1;
       update listing_operation set state = 'open', finished_at = null, accepted_at = null,
         next_attempt_at = now() + interval '1 hour' where item_uid = $1`,
      [uid],
    )
    expect((await preview(csv)).results).toMatchObject([
      { action: 'ask', listings: [{ platform: 'ebay', url: null, from: '42.50', to: '45.00' }, { platform: 'etsy' }] },
    ])
  })
})

describe('a withdrawal', () => {
  it('ends no listing before it is confirmed, and is undone', async () => {
    const uid = await newListed()
    const csv = `uid,State\n${uid},withdrawn\n`
    const dry = await preview(csv)
    expect(codes(dry)).toEqual([['confirm_end_listing']])
    expect(dry.results[0]!.listings).toMatchObject([{ platform: 'ebay', from: '42.50', to: null }, { to: null }])
    expect((await send(csv, { preview: dry.preview!, confirm_prices: 'true' })).body).toMatchObject({ asked: 1 })
    expect(livePrices(uid)).toEqual([4_250, 4_250])
    expect(await answer(csv, { confirm: '1' })).toMatchObject({ updated: 1 })
    await atRest(uid)
    expect(livePrices(uid)).toEqual([undefined, undefined])
    const [change] = await changes()
    expect(change).toMatchObject({ kind: 'withdraw', count: 1, inventory_item_uid: uid })
    expect(await undo(change.uid)).toMatchObject({ status: 200 })
    await atRest(uid)
    expect(livePrices(uid)).toEqual([4_250, 4_250])
  })
})

describe('a price that more than doubles or falls below half', () => {
  it.each([
    ['85.01', ['confirm_large_price_change']],
    ['21.24', ['confirm_large_price_change']],
    ['0.00', ['confirm_large_price_change']],
    ['85.00', []],
    ['21.25', []],
  ])('is asked, as %s', async (price, expected) => {
    const uid = await newItem({ sku: 'KET-01', title: 'Enamel kettle' })
    const csv = `SKU,Price\nKET-01,${price}\n`
    expect(codes(await preview(csv))).toEqual([expected])
    await answer(csv, { confirm_prices: 'true' })
    expect((await priceOf(uid)) === 4_250).toBe(expected.length > 0)
    await answer(csv, { confirm: '1' })
    expect(await priceOf(uid)).toBe(Number(price) * 100)
  })

  it('is confirmed by its row, although all live prices are', async () => {
    const uid = await newListed()
    const csv = 'SKU,Price\nKET-01,127.50\n'
    expect(codes(await preview(csv))).toEqual([['confirm_live_price', 'confirm_large_price_change']])
    expect(await answer(csv, { confirm_prices: 'true' })).toMatchObject({ asked: 1 })
    expect(livePrices(uid)).toEqual([4_250, 4_250])
    await answer(csv, { confirm: '1' })
    await atRest(uid)
    expect(livePrices(uid)).toEqual([12_750, 12_750])
  })
})

const picture = (number: number) => `https://shop.example/photo-${number}.jpg`

describe('a row that looks like an item', () => {
  const known = (given: object = {}) =>
    newItem({ sku: '00123', title: 'Pendleton wool shirt', images: [picture(1)], ...given })
  const heading = 'SKU,Title,Price,Condition,Images'
  const row = (sku: string, title = 'Pendleton wool shirt', price = '42.50', image = picture(9)) =>
    `${heading}\n${sku},${title},${price},Used,${image}\n`

  it.each([
    ['has a SKU without its leading zeros', row('123')],
    ['has a SKU in another case with blanks', row(' Ab 7 ')],
    ['has a SKU with a decimal zero', row('00123.0')],
    ['has no SKU', row('')],
    ['has another SKU and its title', row('NEW-1')],
    ['has its picture', row('', 'Checked flannel top', '60.00', picture(1))],
    ['has almost its title', row('', 'Pendleton shirt in wool', '44.00')],
  ])('adds nothing where it %s', async (_, csv) => {
    const uid = await known(csv.includes('Ab 7') ? { sku: 'AB7' } : {})
    const dry = await preview(csv)
    expect(dry).toMatchObject({ created: 0, asked: 1 })
    expect(dry.results).toMatchObject([
      { action: 'ask', uid: null, errors: [{ code: 'confirm_same_item' }], like: { uid, image: picture(1) } },
    ])
    expect((await send(csv)).body).toMatchObject({ created: 0, asked: 1 })
    expect(await items()).toHaveLength(1)
  })

  it('changes the item where it is the same, which keeps its SKU', async () => {
    const uid = await known()
    const csv = row('123', 'Pendleton wool shirt', '45.00')
    expect(await answer(csv, { same: '1' })).toMatchObject({ updated: 1, created: 0, results: [{ uid }] })
    expect(await items()).toMatchObject([{ uid, sku: '00123', record: { offer: { price_minor: 4_500 } } }])
  })

  it('still needs its price confirmed where it is the same', async () => {
    const uid = await known()
    const csv = row('123', 'Pendleton wool shirt', '99.00')
    expect(codes(await preview(csv))).toEqual([['confirm_same_item', 'confirm_large_price_change']])
    expect(await answer(csv, { same: '1' })).toMatchObject({ asked: 1 })
    expect(await answer(csv, { confirm: '1' })).toMatchObject({ asked: 1 })
    expect(await answer(csv, { same: '1', confirm: '1' })).toMatchObject({ updated: 1 })
    expect(await priceOf(uid)).toBe(9_900)
  })

  it('becomes an item where it is new', async () => {
    await known()
    expect(await answer(row('123'), { new: '1' })).toMatchObject({ created: 1 })
    expect((await items()).map(({ sku }: { sku: string }) => sku)).toEqual(['123', '00123'])
    expect((await send(row('123'))).body).toMatchObject({ unchanged: 1 })
  })

  it('is one item where two rows are said to be it', async () => {
    await known()
    const csv = `${row('')}${row('', 'Pendleton wool shirt', '43.00').split('\n')[1]}\n`
    expect((await answer(csv, { same: '1-2' })).results).toMatchObject([
      { action: 'update' },
      { action: 'fail', errors: [{ code: 'given_twice' }] },
    ])
  })

  it('shows its own price for a listing that another row would change too', async () => {
    await newListed({ title: 'Pendleton wool shirt' })
    const csv = `${row('', 'Pendleton wool shirt', '44.00')}${row('', 'Pendleton wool shirt', '46.00').split('\n')[1]}\n`
    expect((await preview(csv)).results.map(({ listings }) => listings?.map(({ to }) => to))).toEqual([
      ['44.00', '44.00'],
      ['46.00', '46.00'],
    ])
  })

  it('is asked again where the item is another by now', async () => {
    const uid = await known({ sku: null })
    const seen = (await preview(row(''))).preview!
    await call('DELETE', `/api/v1/inventory/${uid}/`)
    await known({ sku: 'OTHER' })
    expect((await send(row(''), { preview: seen, same: '1' })).body).toMatchObject({ asked: 1, updated: 0 })
  })

  it('is no candidate for an item that another row is about', async () => {
    await known()
    const csv = `${row('00123')}${row('00124').split('\n')[1]}\n`
    expect((await send(csv)).body).toMatchObject({ updated: 1, created: 1, asked: 0 })
  })

  it('fails where it could be neither', async () => {
    await known()
    expect((await send(`${heading}\n123,Pendleton wool shirt,dear,Used,${picture(1)}\n`)).body).toMatchObject({
      failed: 1,
      asked: 0,
    })
  })

  it('finds an export again whose uid and SKU are gone', async () => {
    await known({ sku: null })
    await newItem({ title: 'Lamp', images: [picture(2)] })
    const csv = await (
      await fetch(`${harness.server.url}/api/v1/inventory/export/`, { headers: harness.seller.bearer })
    ).text()
    const nameless = csv.replaceAll(/"inv_\w+",/g, '"",')
    expect((await send(nameless)).body).toMatchObject({ created: 0, asked: 2 })
    expect(await items()).toHaveLength(2)
  })
})

describe('a row that would turn an item into another', () => {
  const camera = `Leica M3 camera,42.50,Used,${picture(7)}`

  it.each([
    ['its SKU', (_: string) => `SKU,Title,Price,Condition,Images\nKET-01,${camera}\n`],
    ['its SKU without pictures', (_: string) => 'SKU,Title,Price\nKET-01,Leica M3 camera,42.50\n'],
    ['its SKU with words in common', (_: string) => 'SKU,Title,Price\nKET-01,Enamel camera,42.50\n'],
    ['its uid', (uid: string) => `uid,Title,Price,Condition,Images\n${uid},${camera}\n`],
  ])('by %s changes nothing unasked', async (_, csvOf) => {
    const uid = await newItem({ sku: 'KET-01', title: 'Enamel kettle', images: [picture(1)] })
    const csv = csvOf(uid)
    expect((await send(csv)).body.results).toMatchObject([
      { action: 'ask', uid, errors: [{ code: 'confirm_same_item' }], like: { uid, title: 'Enamel kettle' } },
    ])
    expect((await items())[0].record.title).toBe('Enamel kettle')
    await answer(csv, { same: '1' })
    expect(await items()).toMatchObject([{ uid, record: { title: expect.stringContaining('camera') } }])
  })

  it('adds an item without the SKU where it is new, and once only', async () => {
    const uid = await newItem({ sku: 'KET-01', title: 'Enamel kettle', images: [picture(1)] })
    const csv = `SKU,Title,Price,Condition,Images\nKET-01,${camera}\n`
    expect(await answer(csv, { new: '1' })).toMatchObject({ created: 1 })
    expect(await items()).toMatchObject([
      { sku: null, record: { title: 'Leica M3 camera' } },
      { uid, sku: 'KET-01', record: { title: 'Enamel kettle' } },
    ])
    expect((await send(csv)).body).toMatchObject({ unchanged: 1, created: 0, asked: 0 })
  })

  it('changes an item whose title is edited, or that keeps a picture', async () => {
    await newItem({ sku: 'KET-01', title: 'Enamel kettle', images: [picture(1)] })
    const edited = `SKU,Title,Images\nKET-01,"Kettle, enamel, blue",${picture(7)}\n`
    expect((await send(edited)).body).toMatchObject({ updated: 1 })
    const renamed = `SKU,Title,Images\nKET-01,Teapot,${picture(7)}\n`
    expect((await send(renamed)).body).toMatchObject({ updated: 1, asked: 0 })
  })
})
