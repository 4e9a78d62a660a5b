import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { buildAccount } from '#e2e/harness/account.ts'
import { parallel, statuses } from '#e2e/harness/api.ts'
import { buildListing } from '#e2e/harness/listing.ts'
import { type ImportHarness, type Seller, startImportHarness } from '#server/catalog/imports/testing/harness.ts'
import { newId } from '#shared/identity.ts'
import { InventoryRecord } from '#shared/item/inventory-record.ts'

const inventory = '/api/v1/inventory/'

let harness: ImportHarness
let seller: Seller
beforeAll(async () => {
  harness = await startImportHarness()
})
afterAll(() => harness?.close())
beforeEach(async () => {
  harness.ebay.shop = []
  seller = await harness.seller()
})

const lamp = {
  title: 'Brass desk lamp',
  images: ['https://i.example/lamp.jpg'],
  condition: { label: 'Good' },
  offer: { price_minor: 4_500, currency: 'EUR' },
}
const add = (given: object = {}) => seller.call('POST', inventory, { ...lamp, ...given })
const at = (uid: string) => `${inventory}${uid}/`

describe('adding an item', () => {
  it('completes the record, valid and available', async () => {
    const reply = await add({ sku: 'L-1', description: 'Rewired.', attributes: { brand: 'Kaiser', era: '1930s' } })
    expect(reply.status).toBe(201)
    InventoryRecord.parse(reply.body.record)
    expect(reply.body).toMatchObject({
      sku: 'L-1',
      description: 'Rewired.',
      attributes: { brand: 'Kaiser', era: '1930s' },
      version: 1,
      seller_account_uids: [],
      record: { product_id: 'L-1', offer: { price_minor: 4_500, availability: 'available', quantity: 1 } },
    })
    expect(await seller.call('GET', at(reply.body.uid))).toMatchObject({ status: 200, body: reply.body })
    const history = await seller.call('GET', `${at(reply.body.uid)}history/`)
    expect(history.body).toMatchObject([{ version: 1, actor: 'user', from_state: null, to_state: 'available' }])
  })

  it('accepts a SKU once, also in parallel', async () => {
    const replies = await parallel(8, () => add({ sku: 'ONE' }))
    expect(statuses(replies)).toEqual({ 201: 1, 409: 7 })
    expect((await add({ sku: 'ONE' })).body.code).toBe('sku_in_use')
    expect((await add({ sku: 'BIN  12' })).body.sku).toBe('BIN 12')
    for (const sku of ['BIN 12', ' BIN \t 12', 'BIN\u00a012'])
      expect((await add({ sku })).body.code, sku).toBe('sku_in_use')
    expect((await add()).status).toBe(201)
    expect((await add()).status).toBe(201)
  })

  describe('as a draft', () => {
    const draft = () => ({
      ...{
        title: 'Untitled',
        images: [`${harness.server.services.config.PUBLIC_URL}/assets/no-photo.svg`],
        draft: crypto.randomUUID(),
      },
      ...{ condition: { label: 'not stated' }, offer: { price_minor: 0, currency: 'EUR' } },
    })

    const onSale = { state: 'available', images: lamp.images, offer: { price_minor: 4_000 } }

    it('keeps it off sale until it has a photo and a price', async () => {
      const { body, status } = await add(draft())
      expect(status).toBe(201)
      InventoryRecord.parse(body.record)
      expect(body).toMatchObject({ attributes: { draft: true }, record: { offer: { availability: 'withdrawn' } } })
      const copies = 'select from image_copy where user_id = $1'
      expect(await harness.server.services.db.any(copies, [seller.account.user_id])).toEqual([])
      const unfinished = await seller.call('PATCH', at(body.uid), { title: 'Desk lamp', state: 'available' })
      expect(unfinished).toMatchObject({ status: 400, body: { errors: [{ field: 'images', code: 'required' }] } })
      const unpriced = await seller.call('PATCH', at(body.uid), { state: 'available', images: lamp.images })
      expect(unpriced).toMatchObject({
        status: 400,
        body: { errors: [{ field: 'offer.price_minor', code: 'required' }] },
      })
      const change = { title: 'Desk lamp', ...onSale }
      const finished = await seller.call('PATCH', at(body.uid), change)
      expect(finished).toMatchObject({ status: 200, body: { attributes: {}, record: { title: 'Desk lamp' } } })
      expect(finished.body.attributes).not.toHaveProperty('draft')
    })

    it('makes one item of one key, in parallel and after days', async () => {
      const given = draft()
      const replies = await parallel(6, () => add(given))
      expect(statuses(replies)).toEqual({ 201: 6 })
      expect(new Set(replies.map(({ body }) => body.uid)).size).toBe(1)
      const uid = replies[0]!.body.uid
      await seller.call('PATCH', at(uid), onSale)
      expect((await add(given)).body).toMatchObject({ uid, record: { offer: { availability: 'available' } } })
      expect((await add(draft())).body.uid).not.toBe(uid)
    })

    it('shows no public page until it is finished', async () => {
      const { body } = await add(draft())
      const page = () => fetch(body.record.canonical_url)
      expect((await page()).status).toBe(404)
      await seller.call('PATCH', at(body.uid), onSale)
      expect((await page()).status).toBe(200)
    })

    it('cannot be on sale with the picture of no photo', async () => {
      const reply = await add({ images: [`${harness.server.services.config.PUBLIC_URL}/assets/no-photo.svg`] })
      expect(reply).toMatchObject({ status: 400, body: { errors: [{ field: 'images', code: 'required' }] } })
    })
  })

  it("fills in from the seller's settings", async () => {
    const settings = { shipping_policy_url: 'https://vera.example/shipping', default_currency: 'GBP' }
    expect((await seller.call('PUT', '/api/v1/user/settings/', settings)).status).toBe(200)
    const reply = await add({ offer: { price_minor: 1 } })
    expect(reply.body.record.offer).toMatchObject({
      currency: 'GBP',
      shipping_policy_url: 'https://vera.example/shipping',
      returns_policy_url: reply.body.record.canonical_url,
    })
  })

  it.each<[string, object]>([
    ['no title', { title: ' ' }],
    ['no picture', { images: [] }],
    ['a picture that is a script', { images: ['javascript:alert(1)'] }],
    ['a picture with a password', { images: ['https://a:b@i.example/x.jpg'] }],
    ['no currency at all', { offer: { price_minor: 1 } }],
    ['a currency that is none', { offer: { price_minor: 1, currency: 'XYZ' } }],
    ['half a cent', { offer: { price_minor: 1.5, currency: 'EUR' } }],
    ['a negative price', { offer: { price_minor: -1, currency: 'EUR' } }],
    ['a price beyond all', { offer: { price_minor: 1e15, currency: 'EUR' } }],
    ['a state', { state: 'sold' }],
    ['a uid', { uid: newId('inv') }],
    ['a quantity', { offer: { price_minor: 1, currency: 'EUR', quantity: 2 } }],
    ['a day that is none', { condition: { label: 'Good', inspected_at: '2026-02-30' } }],
    ['an empty SKU', { sku: '' }],
    [
      'a brand of a hundred thousand words',
      { attributes: { brand: Array.from({ length: 100_000 }, (_, n) => n).join(' ') } },
    ],
  ])('refuses %s', async (_name, given) => {
    expect((await add(given)).status).toBe(400)
    expect(await seller.inventory()).toEqual([])
  })

  it('needs the scope inventory:write', async () => {
    const account = await buildAccount(harness.server.services.db, { scopes: ['inventory:read'] })
    expect((await harness.api('POST', inventory, { body: lamp, headers: account.key })).status).toBe(403)
  })
})

describe('changing an item', () => {
  it('changes the given fields and raises the version', async () => {
    const { uid, record } = (await add({ sku: 'L-1' })).body
    const reply = await seller.call('PATCH', at(uid), { title: 'Brass lamp', offer: { price_minor: 5_000 } })
    expect(reply).toMatchObject({ status: 200, body: { sku: 'L-1', version: 2 } })
    expect(reply.body.record).toMatchObject({
      ...record,
      title: 'Brass lamp',
      offer: { ...record.offer, price_minor: 5_000 },
      lifecycle: { version: '2', state: 'available' },
    })
  })

  it('refuses a stale version by If-Match or body', async () => {
    const { uid } = (await add()).body
    const patch = (body: object, headers?: Record<string, string>) => seller.call('PATCH', at(uid), body, headers)
    expect((await patch({ title: 'A', version: 1 })).status).toBe(200)
    expect(await patch({ title: 'B', version: 1 })).toMatchObject({ status: 409, body: { code: 'stale_version' } })
    expect((await patch({ title: 'B' }, { 'if-match': '"1"' })).status).toBe(409)
    expect((await patch({ title: 'B' }, { 'if-match': '"2"' })).status).toBe(200)
    expect((await patch({ title: 'B' }, { 'if-match': 'yesterday' })).status).toBe(400)
    expect((await patch({ title: 'C' }, { 'if-match': '*' })).status).toBe(200)
    const replies = await parallel(8, (index) => patch({ title: `Parallel ${index}`, version: 4 }))
    expect(statuses(replies)).toEqual({ 200: 1, 409: 7 })
  })

  it('moves along the allowed states, with history', async () => {
    const { uid } = (await add()).body
    const move = async (state: string) => (await seller.call('PATCH', at(uid), { state })).status
    expect(await move('reserved')).toBe(200)
    expect(await move('withdrawn')).toBe(409)
    expect(await move('available')).toBe(200)
    expect(await move('withdrawn')).toBe(200)
    expect(await move('withdrawn')).toBe(200)
    expect(await move('sold')).toBe(400)
    const item = await seller.call('GET', at(uid))
    expect(item.body.record.offer).toMatchObject({ availability: 'withdrawn', quantity: 0 })
    const history = (await seller.call('GET', `${at(uid)}history/`)).body
    expect(history.map((entry: { to_state: string }) => entry.to_state)).toEqual([
      'withdrawn',
      'available',
      'reserved',
      'available',
    ])
  })

  it('delists an item that becomes withdrawn', async () => {
    harness.ebay.shop = [buildListing()]
    await seller.import()
    const [item] = await seller.inventory()
    await seller.call('PATCH', at(item.uid), { state: 'withdrawn' })
    const operations = await harness.server.services.db.any(
      'select kind, platform from listing_operation where item_uid = $1',
      [item.uid],
    )
    expect(operations).toEqual([{ kind: 'delist', platform: 'ebay' }])
  })

  it('says in its history that it was missing', async () => {
    const { uid } = (await add({ sku: 'A' })).body
    const withdrawn = await seller.call('PATCH', at(uid), { state: 'withdrawn', missing: true })
    expect(withdrawn.body.record.lifecycle.state).toBe('withdrawn')
    const { body } = await seller.call('GET', `${at(uid)}history/`)
    expect(body[0]).toMatchObject({ reason: 'Missing, withdrawn by the seller' })
  })

  it('is for its owner only, and takes no used SKU', async () => {
    const { uid } = (await add({ sku: 'A' })).body
    await add({ sku: 'B' })
    expect(await seller.call('PATCH', at(uid), { sku: 'B' })).toMatchObject({
      status: 409,
      body: { code: 'sku_in_use' },
    })
    expect((await seller.call('PATCH', at(uid), { sku: null })).body.sku).toBeNull()
    const other = await harness.seller()
    expect((await other.call('PATCH', at(uid), { title: 'Mine' })).status).toBe(404)
    expect((await other.call('DELETE', at(uid))).status).toBe(404)
    expect((await other.call('GET', `${at(uid)}history/`)).status).toBe(404)
  })

  it.each([[{ title: '' }], [{ images: [] }], [{ uid: 'x' }], [{ offer: { currency: 'usd' } }], [{ version: 0 }]])(
    'refuses %o',
    async (change) => {
      const { uid } = (await add()).body
      expect((await seller.call('PATCH', at(uid), change)).status).toBe(400)
    },
  )
})

describe('deleting an item', () => {
  it('removes one without live listings', async () => {
    const { uid } = (await add()).body
    expect((await seller.call('DELETE', at(uid))).status).toBe(204)
    expect((await seller.call('GET', at(uid))).status).toBe(404)
    expect((await seller.call('DELETE', at(uid))).status).toBe(404)
  })

  it('refuses one that is live', async () => {
    harness.ebay.shop = [buildListing()]
    await seller.import()
    const [item] = await seller.inventory()
    expect(await seller.call('DELETE', at(item.uid))).toMatchObject({ status: 409, body: { code: 'still_listed' } })
  })
})

describe('products', () => {
  it('group the items of one product id, by pages', async () => {
    await add({ product_id: 'chair', title: 'Chair, first' })
    await add({ product_id: 'chair', title: 'Chair, second' })
    const { uid } = (await add({ product_id: 'chair', title: 'Chair, third' })).body
    await seller.call('PATCH', at(uid), { state: 'withdrawn' })
    await add({ sku: 'lamp' })
    const first = (await seller.call('GET', '/api/v1/products/?page_size=1')).body
    expect(first.results).toEqual([{ product_id: 'chair', title: 'Chair, third', items: 3, available: 2 }])
    const second = (await seller.call('GET', `/api/v1/products/?page_size=1&cursor=${first.next_cursor}`)).body
    expect(second).toEqual({
      results: [{ product_id: 'lamp', title: 'Brass desk lamp', items: 1, available: 1 }],
      next_cursor: null,
    })
    expect((await seller.call('GET', '/api/v1/products/?cursor=x')).status).toBe(400)
    const other = await harness.seller()
    expect((await other.call('GET', '/api/v1/products/')).body.results).toEqual([])
  })
})

describe('an address on the host of this server', () => {
  const own = () => new URL(harness.server.url)
  const refused: [string, () => string][] = [
    ['a page that acts', () => `${own().origin}/accounts/ebay/login/?ticket=${'x'.repeat(43)}`],
    ['the start page', () => `${own().origin}/`],
    ['another scheme', () => `https://${own().host}/connect/?to=ebay`],
    ['another name of this machine', () => `http://localhost:${own().port}/connect/`],
    ['a trailing dot', () => `http://localhost.:${own().port}/connect/`],
    ['a number as address', () => `http://2130706433:${own().port}/connect/`],
    ['an item with a query', () => `${own().origin}/items/${newId('inv')}?ticket=x`],
    ['a way out of the items', () => `${own().origin}/items/../accounts/ebay/login/`],
    ['an encoded way out', () => `${own().origin}/items/%2e%2e/accounts/ebay/login/`],
    ['something below an item', () => `${own().origin}/items/${newId('inv')}/x`],
    ['an original photo', () => `${own().origin}/images/${newId('img')}/original`],
  ]
  it.each(refused)('is refused in items and settings: %s', async (_name, address) => {
    const url = address()
    const { uid } = (await add()).body
    for (const name of ['shipping_policy_url', 'returns_policy_url']) {
      const wrong = { status: 400, body: { errors: [{ code: 'not_allowed' }] } }
      expect(await add({ offer: { price_minor: 1, currency: 'EUR', [name]: url } })).toMatchObject(wrong)
      expect(await seller.call('PATCH', at(uid), { offer: { [name]: url } })).toMatchObject(wrong)
      expect(await seller.call('PUT', '/api/v1/user/settings/', { [name]: url })).toMatchObject(wrong)
    }
    expect((await add({ images: [url] })).status).toBe(400)
    expect((await seller.call('PATCH', at(uid), { images: [url] })).status).toBe(400)
    const condition = { label: 'Good', evidence_urls: [url] }
    expect((await add({ condition })).status).toBe(400)
    expect((await seller.call('PATCH', at(uid), { condition })).status).toBe(400)
  })

  it('is taken where it is an item or a photo', async () => {
    const { uid, record } = (await add()).body
    const photo = `${own().origin}/images/${newId('img')}/2000`
    const change = { images: [photo], offer: { shipping_policy_url: record.offer.shipping_policy_url } }
    expect((await seller.call('PATCH', at(uid), change)).status).toBe(200)
  })
})

describe('settings', () => {
  const path = '/api/v1/user/settings/'

  it('are empty at first, and replaced as a whole', async () => {
    const unset = {
      ...{ shipping_policy_url: null, returns_policy_url: null, default_currency: null, sku_required: false },
      alert_mails: expect.arrayContaining(['oversell', 'delist_overdue', 'connection_lost']),
      push_kinds: expect.arrayContaining(['sale', 'oversell', 'delist_overdue', 'connection_lost']),
      price_rules: {},
      units: null,
      texts: [],
    }
    expect((await seller.call('GET', path)).body).toEqual(unset)
    const set = {
      default_currency: 'EUR',
      sku_required: true,
      alert_mails: ['oversell'],
      push_kinds: ['sale'],
      price_rules: {},
      units: 'metric',
      texts: [{ name: 'Care', kind: 'clothing', text: 'Wash cold, {material}.' }],
    }
    await seller.call('PUT', path, set)
    expect((await seller.call('GET', path)).body).toEqual({ ...unset, ...set })
    await seller.call('PUT', path, {})
    expect((await seller.call('GET', path)).body).toEqual(unset)
  })

  it('are defaults for imported items', async () => {
    await seller.call('PUT', path, { returns_policy_url: 'https://vera.example/returns', sku_required: true })
    harness.ebay.shop = [buildListing({ sku: 'A' }), buildListing()]
    const job = await seller.import()
    expect(job).toMatchObject({ items_imported: 1, items_conflicted: 1 })
    expect((await seller.items(job.id, 'status=conflict'))[0]?.conflict_type).toBe('missing_sku')
    expect((await seller.inventory())[0].record.offer.returns_policy_url).toBe('https://vera.example/returns')
  })

  it.each([
    [{ default_currency: 'XYZ' }],
    [{ shipping_policy_url: 'ftp://x' }],
    [{ colour: 'red' }],
    [{ sku_required: 1 }],
    [{ alert_mails: ['weather'] }],
    [{ push_kinds: ['weather'] }],
    [{ units: 'cubits' }],
    [{ texts: [{ name: 'Care', kind: 'weather', text: 'Rain.' }] }],
  ])('refuse %o', async (given) => {
    expect((await seller.call('PUT', path, given)).status).toBe(400)
  })
})

describe('the public page of an item', () => {
  const page = (uid: string, accept: string, language = 'en') =>
    fetch(`${harness.server.url}/items/${uid}`, {
      headers: { accept, 'accept-language': language },
      redirect: 'manual',
    })

  it('is HTML with schema.org data, or JSON on request', async () => {
    const evil = '</script><script>alert(1)</script>'
    const { uid, record } = (await add({ title: `Lamp ${evil}`, description: `<p>Nice &amp; bright</p>${evil}` })).body
    const html = await page(uid, 'text/html')
    expect(html.status).toBe(200)
    const text = await html.text()
    expect(text).not.toContain(evil)
    expect(text).toContain('Nice &#38; bright')
    const data = JSON.parse(/<script type="application\/ld\+json">(.*?)<\/script>/s.exec(text)?.[1] ?? '')
    expect(data).toMatchObject({
      '@type': 'Product',
      offers: { price: '45.00', availability: 'https://schema.org/OutOfStock' },
    })
    const json = await page(uid, 'application/json')
    expect(json.headers.get('vary')).toMatch(/accept/i)
    expect(await json.json()).toEqual(record)
  })

  it.each([
    ['en-US,en;q=0.5', 'en-US', '€45.00', 'March 9, 2026'],
    ['xx-nonsense, de-DE;q=0.9, en;q=0.5', 'de-DE', '45,00\u00a0€', '9. März 2026'],
    ['*', 'en', '€45.00', 'March 9, 2026'],
    ['de_DE.UTF-8', 'en', '€45.00', 'March 9, 2026'],
  ])('to a reader of %s writes money and dates as in %s', async (asked, locale, money, day) => {
    const { uid } = (await add({ condition: { label: 'Good', notes: '', inspected_at: '2026-03-09' } })).body
    const reply = await page(uid, 'text/html', asked)
    const text = await reply.text()
    expect(text).toContain(`<data value="45.00" lang="${locale}">${money}</data>`)
    expect(text).toContain(`<time datetime="2026-03-09" lang="${locale}">${day}</time>`)
    expect(reply.headers.get('vary')).toMatch(/accept-language/i)
  })

  it.each([
    ['nwt', 'New with tags'],
    ['used_excellent', 'Used, excellent'],
    ['Worn twice', 'Worn twice'],
    ['constructor', 'constructor'],
  ])('shows the condition “%s” as “%s”, unchanged in the record', async (label, words) => {
    const { uid, record } = (await add({ condition: { label, notes: '' } })).body
    expect(await (await page(uid, 'text/html')).text()).toContain(`<h2>Condition</h2>\n<p>${words}<br>`)
    expect(record.condition.label).toBe(label)
  })

  it.each([
    ['a listing on sale', 'https://www.ebay.com/itm/110588000001', 'available', true],
    ['a listing in another country', 'https://www.ebay.co.uk/itm/110588000002', 'available', true],
    ['an ended listing', 'https://www.ebay.com/itm/110588000003', 'removed', false],
    ['a stranger’s site', 'https://evil.example/pay-here', 'available', false],
    ['a look-alike', 'https://www.ebay.com.evil.example/itm/1', 'available', false],
    ['a name in front', 'https://www.ebay.com@evil.example/itm/1', 'available', false],
    ['no https', 'http://www.ebay.com/itm/1', 'available', false],
  ])('leads to %s (%s)? %s: %s', async (_name, url, state, leads) => {
    const { db } = harness.server.services
    const { uid } = (await add()).body
    const { user_id } = await db.one('select user_id from inventory_item where uid = $1', [uid])
    const { shop_uid } = await db.one(
      `insert into seller_account (user_id, uid, platform, external_id, external_name, url, status)
       values ($1, $2, 'ebay', $3, 'shop', 'https://www.ebay.com/usr/shop', 'connected') returning uid as shop_uid`,
      [user_id, newId('sel'), newId('sel')],
    )
    await db.none(
      `insert into channel_listing (user_id, seller_account_uid, item_uid, platform, listing_id, url, state, price_minor, currency, observed_at)
       values ($1, $2, $3, 'ebay', $4, $5, $6, 4500, 'USD', now())`,
      [user_id, shop_uid, uid, newId('itm'), url, state],
    )
    const html = await (await page(uid, 'text/html')).text()
    expect(html.includes('Where to buy it')).toBe(leads)
    expect(html).toContain(leads ? 'https://schema.org/InStock' : 'https://schema.org/OutOfStock')
  })

  it('links to policies on another host only', async () => {
    const { db } = harness.server.services
    const login = `${harness.server.url}/accounts/ebay/login/?ticket=${'x'.repeat(43)}`
    const policies = {
      shipping_policy_url: 'https://vera.example/shipping',
      returns_policy_url: 'https://vera.example/returns',
    }
    const { uid } = (await add({ offer: { price_minor: 1, currency: 'EUR', ...policies } })).body
    const shown = await (await page(uid, 'text/html')).text()
    expect(shown).toContain('<a href="https://vera.example/shipping" rel="nofollow noopener">Shipping</a>')
    expect(shown).toContain('<a href="https://vera.example/returns" rel="nofollow noopener">Returns</a>')
    // Stored before such addresses were refused, or read from a listing.
    await db.none(
      `update inventory_item set shipping_policy_url = $<login>, returns_policy_url = $<login>, seller_url = $<login>,
         images = array[$<login>] where uid = $<uid>`,
      { uid, login },
    )
    const kept = (await (await page(uid, 'text/html')).text()).replace(/<script type="application.*?<\/script>/s, '')
    expect(kept).not.toContain(login)
    expect(kept).not.toContain('Shipping')
  })

  it('of a merged item redirects to the other', async () => {
    const [from, to] = [(await add()).body.uid, (await add()).body.uid]
    await harness.server.services.db.none('update inventory_item set redirect_uid = $1 where uid = $2', [to, from])
    const reply = await page(from, 'text/html')
    expect(reply.status).toBe(308)
    expect(reply.headers.get('location')).toBe(`${harness.server.url}/items/${to}`)
    expect((await seller.call('GET', at(from))).body.record.redirect_target).toBe(`${harness.server.url}/items/${to}`)
  })

  it('of no item is 404, as a page and as a problem', async () => {
    for (const uid of [newId('inv'), 'x', '..%2f..']) {
      expect((await page(uid, 'text/html')).status).toBe(404)
      const json = await page(uid, 'application/json')
      expect(json.headers.get('content-type')).toContain('problem+json')
    }
  })
})
