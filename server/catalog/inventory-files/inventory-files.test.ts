import { parse } from 'csv-parse/sync'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { buildAccount, type TestAccount } from '#e2e/harness/account.ts'
import { apiOf } from '#e2e/harness/api.ts'
import { startTestServer, type TestServer } from '#e2e/harness/server.ts'
import { mergeItem } from '#server/catalog/inventory/merge-item.ts'
import type { ImportedRow } from '#shared/contract/catalog/inventory-files.ts'
import { csvLines } from '#shared/csv.ts'

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

async function download(query = '', who = seller): Promise<string> {
  const answer = await fetch(`${server.url}/api/v1/inventory/export/${query}`, { headers: who.key })
  expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/csv; charset=utf-8'])
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(await answer.arrayBuffer())
}

async function upload(csv: string, { dryRun = false, who = seller, query = '' } = {}) {
  const answer = await fetch(`${server.url}/api/v1/inventory/import/?${dryRun ? 'dry_run=true' : query}`, {
    method: 'POST',
    headers: { ...who.key, 'content-type': 'text/csv; charset=utf-8' },
    body: csv,
  })
  return { status: answer.status, body: await answer.json() }
}

/** The rows of a file by column, without what belongs to the account and the time. */
function rowsOf(csv: string): Record<string, string>[] {
  const data: Record<string, string>[] = parse(csv.replace('\uFEFF', ''), { columns: true })
  return data.map(({ uid: _, canonical_url: __, created_at: ___, updated_at: ____, version: _____, ...rest }) => rest)
}

function file(rows: Record<string, string>[]): string {
  const names = Object.keys(rows[0]!)
  return csvLines([names, ...rows.map((each) => names.map((name) => each[name] ?? ''))])
}
const bySku = (rows: Record<string, string>[]) => rows.toSorted((a, b) => (a.sku! < b.sku! ? -1 : 1))
const row = (given: Record<string, string> = {}): Record<string, string> => ({
  ...{ sku: 'A', title: 'A coat', price: '25.00', currency: 'USD' },
  ...{ condition: 'Used', images: 'https://pictures.example/1.jpg' },
  ...given,
})

const create = async (given: object = {}) =>
  (
    await call('POST', '/api/v1/inventory/', {
      title: 'A coat',
      images: ['https://pictures.example/1.jpg', 'https://pictures.example/2.jpg?a=1,2|3'],
      condition: { label: 'Used', notes: 'worn\r\n"twice"', inspected_at: '2026-01-02', evidence_urls: [] },
      offer: { price_minor: 2_550, currency: 'USD' },
      ...given,
    })
  ).body

const items = async () => (await call('GET', '/api/v1/inventory/?page_size=100')).body.results
const many = (count: number, given: (number: number) => Record<string, string> = () => ({})) =>
  Array.from({ length: count }, (_, index) => row({ sku: `M-${index + 1}`, ...given(index + 1) }))

/** Makes the database refuse an item with this title. */
async function refuse(title: string): Promise<void> {
  await server.services.db.none(
    `create or replace function refuse_item() returns trigger language plpgsql as $$
     begin if new.title = '${title}' then raise exception 'refused'; end if; return new; end $$;
     create or replace trigger refuse_item before insert or update on inventory_item
     for each row execute function refuse_item()`,
  )
}
afterEach(() => server.services.db.none('drop trigger if exists refuse_item on inventory_item'))

describe('a file of several batches', () => {
  it('imports every row but those that the database refuses', async () => {
    await refuse('Bad')
    const rows = many(250, (number) => ({ title: number === 120 || number === 7 ? 'Bad' : 'A coat' }))
    const { body } = await upload(file(rows))
    expect(body).toMatchObject({ created: 248, failed: 2 })
    expect(body.results.map(({ row: number }: ImportedRow) => number)).toEqual(rows.map((_, index) => index + 1))
    const failed = body.results.filter(({ action }: ImportedRow) => action === 'fail')
    expect(failed).toMatchObject([
      { row: 7, errors: [{ code: 'internal' }] },
      { row: 120, errors: [{ code: 'internal' }] },
    ])
    const again = await upload(file(rows.map((each) => ({ ...each, title: 'A coat' }))))
    expect(again.body).toMatchObject({ created: 2, unchanged: 248, failed: 0 })
  })

  it('fails the row whose SKU another item has, and imports the rest', async () => {
    const mine = await create({ sku: 'MINE' })
    await create({ sku: 'TAKEN' })
    const rows = [
      { uid: '', ...row({ sku: 'NEW' }) },
      { ...row({ sku: 'TAKEN' }), uid: mine.uid },
    ]
    const { body } = await upload(file(rows))
    expect(body.results).toMatchObject([
      { row: 1, action: 'create' },
      { row: 2, action: 'fail', errors: [{ code: 'sku_in_use' }] },
    ])
  })

  it('writes a history and events for each row', async () => {
    const rows = many(3)
    await upload(file(rows))
    await upload(file(rows.map((each) => ({ ...each, state: 'withdrawn', price: '30' }))))
    const [item] = await items()
    const history = (await call('GET', `/api/v1/inventory/${item.uid}/history/`)).body
    expect(history).toMatchObject([
      {
        ...{ version: 2, actor: 'user', from_state: 'available', to_state: 'withdrawn' },
        reason: 'Withdrawn by the seller',
        changes: [{ field: 'price', from: '25.00 USD', to: '30.00 USD' }],
      },
      { version: 1, actor: 'user', from_state: null, to_state: 'available', reason: 'Added by the seller' },
    ])
    const events = await server.services.db.any(
      `select type, data -> 'cause' as cause, data -> 'version' as version, data -> 'item' -> 'version' as item_version
       from event where user_id = $1 and item_uid = $2 order by seq`,
      [seller.user_id, item.uid],
    )
    expect(events).toEqual([
      { type: 'item.created', cause: 'user', version: null, item_version: 1 },
      { type: 'item.updated', cause: null, version: 2, item_version: 2 },
      { type: 'item.state_changed', cause: null, version: 2, item_version: 2 },
    ])
  })

  it('answers each batch when it is done, also compressed', async () => {
    const rows = many(250)
    await upload(file(rows))
    await server.services.db.tx(async (tx) => {
      await tx.any("select from inventory_item where user_id = $1 and sku = 'M-150' for update", [seller.user_id])
      const answer = await fetch(`${server.url}/api/v1/inventory/import/`, {
        method: 'POST',
        headers: { ...seller.key, 'content-type': 'text/csv', 'accept-encoding': 'br' },
        body: file(rows),
      })
      expect(answer.headers.get('content-encoding')).toBe('br')
      const reader = answer.body!.pipeThrough(new TextDecoderStream()).getReader()
      for (let read = ''; !read.includes('"row":100,'); ) read += (await reader.read()).value
      await reader.cancel()
    })
  })
})

describe('a file that is sent again', () => {
  const nameless = () =>
    many(250, () => ({ sku: '' })).map((each, index) => ({ ...each, title: `Coat ${index % 249}` }))

  it('adds no item twice, even where rows have no SKU', async () => {
    const first = await upload(file(nameless()))
    expect(first.body).toMatchObject({ created: 250 })
    const again = await upload(file(nameless()))
    expect(again.body).toMatchObject({ created: 0, unchanged: 250 })
    const uids = ({ results }: { results: ImportedRow[] }) => results.map(({ uid }) => uid)
    expect(uids(again.body)).toEqual(uids(first.body))
    expect(new Set(uids(first.body)).size).toBe(250)
  })

  it('is imported to its end although the seller leaves', async () => {
    const answer = await fetch(`${server.url}/api/v1/inventory/import/`, {
      method: 'POST',
      headers: { ...seller.key, 'content-type': 'text/csv' },
      body: file(many(1_000)),
    })
    const reader = answer.body!.pipeThrough(new TextDecoderStream()).getReader()
    for (let read = ''; !read.includes('"row":100,'); ) read += (await reader.read()).value
    await reader.cancel()
    const count = async () =>
      (
        await server.services.db.one('select count(*)::int as n from inventory_item where user_id = $1', [
          seller.user_id,
        ])
      ).n
    await expect.poll(count).toBe(1_000)
  })

  it('adds the rest when the first time was cut off', async () => {
    const answer = await fetch(`${server.url}/api/v1/inventory/import/`, {
      method: 'POST',
      headers: { ...seller.key, 'content-type': 'text/csv' },
      body: file(nameless()),
    })
    const reader = answer.body!.pipeThrough(new TextDecoderStream()).getReader()
    for (let read = ''; !read.includes('"row":100,'); ) read += (await reader.read()).value
    await reader.cancel()
    const { body } = await upload(file(nameless()))
    expect(body.created).toBeLessThanOrEqual(150)
    expect(body.created + body.unchanged).toBe(250)
    const { count } = await server.services.db.one('select count(*) from inventory_item where user_id = $1', [
      seller.user_id,
    ])
    expect(count).toBe(250)
  })

  it('leaves what the seller changed since, and adds what was deleted', async () => {
    await upload(file(nameless().slice(0, 2)))
    const [second, first] = await items()
    await call('PATCH', `/api/v1/inventory/${first.uid}/`, { title: 'Edited' })
    await call('DELETE', `/api/v1/inventory/${second.uid}/`)
    const { body } = await upload(file(nameless().slice(0, 2)))
    expect(body.results).toMatchObject([
      { action: 'none', uid: first.uid },
      { action: 'create', title: 'Coat 1' },
    ])
    expect((await call('GET', `/api/v1/inventory/${first.uid}/`)).body.record.title).toBe('Edited')
  })

  it('means the item that its own was merged into', async () => {
    await upload(file(nameless().slice(0, 2)))
    const [second, first] = await items()
    const merge = { user_id: seller.user_id, item_uid: first.uid, into_uid: second.uid }
    await server.services.db.tx((tx) => mergeItem(tx, merge, { by: 'extension', seen_at: new Date().toISOString() }))
    const { body } = await upload(file(nameless().slice(0, 1)))
    expect(body.results).toMatchObject([{ action: 'none', uid: second.uid }])
  })
})

describe('inventory as CSV', () => {
  it('goes to another account and back without loss', async () => {
    const attributes = {
      ...{
        cost_minor: 1_250,
        storage_location: '=Shelf 3',
        brand: '-Acme',
        colors: ['navy', '[red]', 'two\nlines'],
        size: "'=M",
        weight_grams: 900,
      },
      parcel: { length_mm: 300, width_mm: 200, height_mm: 100 },
      shelf: { row: 3, names: ['x'] },
    }
    await create({ sku: '=1+1', title: '@cmd "quoted", with comma', description: '\ttabbed\nline — ünï', attributes })
    await create({ sku: "'=2", title: "'plain'", attributes: { colors: ['[odd'] }, product_id: 'P-1' })
    await create({
      sku: 'JPY',
      offer: { price_minor: 5_000, currency: 'JPY', returns_policy_url: 'https://a.example/r' },
    })
    const held = await create({ sku: 'HELD', condition: { label: 'New', evidence_urls: ['https://e.example/1'] } })
    await call('PATCH', `/api/v1/inventory/${held.uid}/`, { state: 'withdrawn' })
    const csv = await download()
    expect(csv.startsWith('\uFEFF"uid","sku",')).toBe(true)
    for (const line of csv.split('\r\n"').slice(1)) expect(line).not.toMatch(/(^|",")[=+\-@\t\r]/)

    expect((await upload(csv)).body).toMatchObject({ unchanged: 4, created: 0, updated: 0, failed: 0 })
    const other = await buildAccount(server.services.db)
    expect((await upload(csv, { who: other })).body).toMatchObject({ created: 4, failed: 0, ignored_columns: [] })
    expect(bySku(rowsOf(await download('', other)))).toEqual(bySku(rowsOf(csv)))
    expect(rowsOf(await download('?state=withdrawn', other))).toMatchObject([{ sku: 'HELD' }])
  })

  it('says in a dry run what would happen, and then it does', async () => {
    const known = await create({ sku: 'KNOWN' })
    const same = (await download()).replace('\uFEFF', '')
    const rows = [
      row({ sku: 'NEW', title: 'New' }),
      row({ sku: 'KNOWN', title: 'Better', price: '30' }),
      row({ sku: '', uid: known.uid, title: 'Twice' }),
      row({ sku: 'BAD', price: 'cheap' }),
      row({ sku: 'EMPTY', title: '', images: 'no link' }),
      row({ sku: 'SOLD', state: 'sold' }),
    ]
    const dry = await upload(file(rows.map((each) => ({ uid: '', state: '', mood: 'x', ...each }))), { dryRun: true })
    expect(dry).toMatchObject({
      status: 200,
      body: { dry_run: true, ignored_columns: ['mood'], created: 1, updated: 1, unchanged: 0, failed: 4 },
    })
    const table = (results: ImportedRow[]) =>
      results.map(({ row: number, action, errors }) => [number, action, ...errors.map(({ field }) => field).sort()])
    expect(table(dry.body.results)).toEqual([
      [1, 'create'],
      [2, 'update'],
      [3, 'fail', 'uid'],
      [4, 'fail', 'price'],
      [5, 'fail', 'images.0', 'title'],
      [6, 'fail', 'state'],
    ])
    expect((await download()).replace('\uFEFF', '')).toBe(same)

    const real = await upload(file(rows.map((each) => ({ uid: '', state: '', mood: 'x', ...each }))))
    expect(table(real.body.results)).toEqual(table(dry.body.results))
    expect(bySku(rowsOf(await download()))).toMatchObject([
      { sku: 'KNOWN', title: 'Better', price: '30.00', condition: 'Used', condition_notes: 'worn\r\n"twice"' },
      { sku: 'NEW', title: 'New', price: '25.00' },
    ])
    const again = await upload(file(rows.slice(0, 2)))
    expect(again.body).toMatchObject({ created: 0, updated: 0, unchanged: 2, failed: 0 })
  })

  it('has the selected items only, newest first, and none of others', async () => {
    const uids: string[] = []
    for (let number = 0; number < 103; number++) uids.push((await create({ sku: `N-${number}` })).uid)
    const stranger = await buildAccount(server.services.db)
    await upload(file([row({ sku: 'FOREIGN' })]), { who: stranger })
    const theirs = await apiOf(server.url)('GET', '/api/v1/inventory/', { headers: stranger.key })
    const select = async (selected: string[]) => {
      const answer = await fetch(`${server.url}/api/v1/inventory/export/`, {
        method: 'POST',
        headers: { ...seller.key, 'content-type': 'application/json' },
        body: JSON.stringify({ uids: selected }),
      })
      return { status: answer.status, csv: await answer.text() }
    }
    const { csv } = await select([...uids.slice(1), uids[5]!, theirs.body.results[0].uid, 'inv_gone'])
    const names = rowsOf(csv).map(({ sku }) => sku)
    expect(names).toEqual(Array.from({ length: 102 }, (_, index) => `N-${102 - index}`))
    expect(rowsOf((await select([uids[7]!])).csv)).toEqual(rowsOf(await download()).filter(({ sku }) => sku === 'N-7'))
    expect((await select([])).status).toBe(400)
  })

  it.each(['identity', 'br'])('ends an answer that breaks in the middle, as %s', async (encoding) => {
    await upload(file(many(150)))
    await server.services.db.none(
      `update inventory_item set attributes = '{"colors": 5}' where user_id = $1 and sku = 'M-1'`,
      [seller.user_id],
    )
    const headers = { ...seller.key, 'accept-encoding': encoding }
    const whole = fetch(`${server.url}/api/v1/inventory/export/`, { headers }).then((answer) => answer.text())
    // The break may come before a compressed beginning was sent.
    await expect(whole).rejects.toThrow(encoding === 'br' ? /terminated|fetch failed/ : 'terminated')
  })

  it('creates a withdrawn item in one step, so that none is left available', async () => {
    await upload(file([row({ sku: 'HELD', state: 'withdrawn' })]))
    const [item] = (await call('GET', '/api/v1/inventory/')).body.results
    const { body } = await call('GET', `/api/v1/inventory/${item.uid}/history/`)
    expect(item).toMatchObject({ version: 1, record: { lifecycle: { state: 'withdrawn' } } })
    expect(body).toMatchObject([{ from_state: null, to_state: 'withdrawn' }])
  })

  it('changes only the columns that a file has', async () => {
    const { uid } = await create({ sku: 'KEEP', description: 'kept', attributes: { brand: 'Acme', size: 'M' } })
    await upload(file([{ uid, size: 'L' }]))
    const item = (await call('GET', `/api/v1/inventory/${uid}/`)).body
    expect(item).toMatchObject({ sku: 'KEEP', description: 'kept', attributes: { brand: 'Acme', size: 'L' } })
  })

  it('takes semicolons, another order and links in one line', async () => {
    const images = 'https://pictures.example/1.jpg, https://pictures.example/2.jpg'
    const csv = `Title;Images;Price;Currency;Condition\nA hat;${images};9.50;EUR;Good\n`
    expect((await upload(csv)).body).toMatchObject({ created: 1, failed: 0 })
    const [item] = (await call('GET', '/api/v1/inventory/')).body.results
    expect(item.record).toMatchObject({ title: 'A hat', images: images.split(', '), offer: { price_minor: 950 } })
  })

  it('takes a spreadsheet that says nothing of conditions', async () => {
    const csv = 'Title,Price,Currency,Images\nA hat,9.50,USD,https://pictures.example/1.jpg\n'
    expect((await upload(csv)).body).toMatchObject({ created: 1, failed: 0 })
    expect((await items())[0].record.condition).toMatchObject({ label: 'not stated' })
    const partly = 'Title,Price,Currency,Condition,Images\nA cap,9.50,USD,,https://pictures.example/1.jpg\n'
    expect((await upload(partly)).body.results).toMatchObject([
      { action: 'fail', errors: [{ field: 'condition.label' }] },
    ])
  })

  it.each([
    ['nothing', '', 'The file is empty: a line of column names is needed.'],
    ['no known column', 'Name,Cost\n1,2\n', 'uid, sku or title. It says: Name, Cost'],
    ['a column twice', 'title,Title\n1,2\n', 'The column "title" is given twice.'],
    ['a character that is no text', 'title\n\0\n', 'This is not a CSV file.'],
    ['an Excel workbook', 'PK\x03\x04\x14\0', 'This is an Excel workbook. Open it in Excel and save it as a CSV file.'],
  ])('refuses a file with %s', async (_, csv, detail) => {
    const { status, body } = await upload(csv)
    expect([status, body.detail]).toEqual([400, expect.stringContaining(detail)])
  })

  it('reads what spreadsheets in Europe write', async () => {
    const csv = [
      '\uFEFFSKU;Title;Price;Condition;Images',
      'E-1;Mütze;"1.234,50 €";Gut;https://pictures.example/1.jpg',
      ';;;;',
      '',
      'E-2;Schal, lang, rot, neu;12,5;Gut;https://pictures.example/2.jpg',
      'E-1;Doppelt;9;Gut;https://pictures.example/3.jpg',
      '',
    ].join('\r\n')
    const { body } = await upload(csv, { query: 'currency=GBP' })
    expect(body.results).toMatchObject([
      { row: 1, action: 'create' },
      { row: 2, action: 'create' },
      { row: 3, action: 'fail', errors: [{ field: 'sku', message: 'is that of row 1' }] },
    ])
    expect((await items()).map(({ record }: { record: { offer: object } }) => record.offer)).toMatchObject([
      { price_minor: 1_250, currency: 'GBP' },
      { price_minor: 123_450, currency: 'EUR' },
    ])
  })

  it('keeps letters of several bytes wherever the file is cut to be read', async () => {
    const title = '😀'.repeat(100)
    const rows = many(500, () => ({ title }))
    expect((await upload(file(rows), { dryRun: true })).body.results.map((each: ImportedRow) => each.title)).toEqual(
      rows.map(() => title),
    )
  })

  it('refuses another type of file, and the items of others', async () => {
    expect((await call('POST', '/api/v1/inventory/import/', { csv: 'title' })).status).toBe(415)
    const { uid } = await create({ sku: 'MINE' })
    const other = await buildAccount(server.services.db)
    expect((await upload(file([row({ uid, title: 'Stolen' })]), { who: other })).body).toMatchObject({ created: 1 })
    expect((await call('GET', `/api/v1/inventory/${uid}/`)).body.record.title).toBe('A coat')
  })

  it('streams 10,000 rows both ways, and refuses one more', async () => {
    await create({ sku: 'S-0' })
    await server.services.db.none(
      `with made as (insert into inventory_item (user_id, uid, sku, product_id, offer_id, title, description, attributes, images,
         condition_label, condition_notes, inspected_at, evidence_urls, price_minor, currency, state, observed_at,
         seller_url, shipping_policy_url, returns_policy_url)
       select user_id, overlay(uid placing lpad(number::text, 6, '0') from 21), 'S-' || number, product_id, offer_id, title,
         repeat('A lovely coat. ', 50), attributes, images, condition_label, condition_notes, inspected_at, evidence_urls,
         price_minor, currency, state, observed_at, seller_url, shipping_policy_url, returns_policy_url
       from inventory_item, generate_series(1, 9999) as number where user_id = $1
       returning user_id, uid, state)
       insert into inventory_history (user_id, item_uid, version, actor, to_state, reason)
       select user_id, uid, 1, 'user', state, 'Made' from made`,
      [seller.user_id],
    )
    const answer = await fetch(`${server.url}/api/v1/inventory/export/`, { headers: seller.key })
    let [chunks, csv] = [0, '']
    for await (const chunk of answer.body!.pipeThrough(new TextDecoderStream())) {
      chunks++
      csv += chunk
    }
    expect(chunks).toBeGreaterThan(50)
    const rows = rowsOf(csv)
    expect(new Set(rows.map(({ sku }) => sku)).size).toBe(10_000)
    const other = await buildAccount(server.services.db)
    const dry = await upload(csv, { dryRun: true, who: other })
    expect(dry.body).toMatchObject({ created: 10_000, failed: 0 })
    expect((await upload(`${csv}"one more"\r\n`, { dryRun: true, who: other })).status).toBe(400)
  })
})
