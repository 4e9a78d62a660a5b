import { describe, expect, it } from 'vitest'
import { apiOf } from '#e2e/harness/api.ts'
import { waitForMessage } from '#e2e/harness/outbox.ts'
import { until } from '#e2e/harness/until.ts'
import { mailAlerts } from '#server/selling/alerts/mail-alerts.ts'
import { listSales } from '#server/selling/sales/list-sales.ts'
import { saleOfListing } from '#server/selling/sales/observed-sale.ts'
import { recordSale } from '#server/selling/sales/record-sale.ts'
import type { Alert } from '#shared/contract/selling/orders.ts'
import { type MailSeller, useSaleMail } from './testing/harness.ts'

const harness = useSaleMail()
const { build, list, deliver, call, messagesOf, stateOf } = harness
const dbOf = () => harness.server.services.db
const alertsOf = async (seller: MailSeller): Promise<Alert[]> =>
  (await apiOf(harness.server.url)('GET', '/api/v1/alarms/', { headers: seller.bearer })).body.results
const days = (count: number) => new Date(Date.now() + count * 86_400_000)

const coat = { title: 'Wool Peacoat Navy Vintage 70s', price_minor: 6_400 }
const camera = { title: 'Film Camera Compact 35mm', price_minor: 12_000 }
const cameraId = { mercari: 'm10000000001' }
const sweater = {
  title: 'Striped knit sweater in blue and cream, soft and warm',
  price_minor: 3_000,
}

describe('a sale mail', () => {
  it('of Poshmark holds the item by SKU and takes it down elsewhere', async () => {
    const seller = await build(['ebay', 'poshmark', 'mercari'])
    await list(seller, coat)
    const item = await list(seller, { ...coat, sku: 'COAT-0042' })
    const message = await deliver(seller, 'poshmark-sale')
    expect(message).toEqual({
      uid: expect.stringMatching(/^mal_/),
      marketplace: 'poshmark',
      kind: 'sale',
      outcome: 'held',
      reason: null,
      title: coat.title,
      price_minor: 6_400,
      currency: 'USD',
      order_id: '6ab7cb1fff8a471e6bfa36ed',
      item_uids: [item],
      items: [expect.objectContaining({ inventory_item_uid: item, state: 'reserved' })],
      received_at: expect.any(String),
    })
    expect(await stateOf(item)).toBe('reserved')
    const operations = await dbOf().any('select kind, platform from listing_operation where item_uid = $1', [item])
    expect(operations).toEqual([{ kind: 'delist', platform: 'ebay' }])
    // The worker, which has no credentials for eBay here, opens a task for it once it has tried.
    const tasks = await dbOf().any(
      "select kind, platform from extension_task where item_uid = $1 and platform <> 'ebay'",
      [item],
    )
    expect(tasks).toEqual([{ kind: 'delist', platform: 'mercari' }])
    const { reason } = await dbOf().one(
      "select reason from inventory_history where item_uid = $1 and to_state = 'reserved'",
      [item],
    )
    expect(reason).toBe('Sold on Poshmark (told by a sale mail)')
    const event = await dbOf().one("select data from event where user_id = $1 and type = 'item.state_changed'", [
      seller.user_id,
    ])
    expect(event.data).toMatchObject({ source: 'mail', to_state: 'reserved' })
    expect((await call(seller, 'GET', '')).body.marketplaces).toContainEqual({
      slug: 'poshmark',
      last_mail_at: message.received_at,
    })
  })

  it.each([
    ['poshmark-sale', coat],
    ['mercari-sale', { ...camera, listing_ids: cameraId }],
    ['poshmark-sale', { ...coat, price_minor: 7_500 }],
    ['depop-sale', { ...sweater, size: 'S' }],
  ] as const)('of %s holds the item that it names', async (name, given) => {
    const seller = await build()
    const item = await list(seller, given)
    const other = await list(seller, { ...given, title: 'Not this one', listing_ids: {} })
    expect(await deliver(seller, name)).toMatchObject({ outcome: 'held', item_uids: [item] })
    expect([await stateOf(item), await stateOf(other)]).toEqual(['reserved', 'available'])
  })

  it('becomes a sale with the next reading that shows it sold', async () => {
    const seller = await build()
    const item = await list(seller, { ...camera, listing_ids: cameraId })
    await deliver(seller, 'mercari-sale')
    const lines = () =>
      dbOf().any(
        `select ordered.external_order_id, ordered.source, line.state from order_line line
         join marketplace_order ordered on ordered.user_id = line.user_id and ordered.uid = line.order_uid
         where line.item_uid = $1`,
        [item],
      )
    expect(await lines()).toEqual([{ external_order_id: 'listing-m10000000001', source: 'scraped', state: 'held' }])
    const sales = () => listSales(dbOf(), seller.user_id, {})
    expect(await sales()).toMatchObject({
      results: [],
      held: [{ inventory_item_uid: item, platform: 'mercari', title: camera.title, price_minor: 12_000 }],
    })
    const reading = saleOfListing({
      ...{ platform: 'mercari', seller_account_uid: seller.shops.mercari!, listing_id: 'm10000000001' },
      ...{ price_minor: 12_000, currency: 'USD', observed_at: new Date().toISOString() },
    })
    await recordSale(dbOf(), seller.user_id, reading)
    expect(await lines()).toEqual([{ external_order_id: 'listing-m10000000001', source: 'scraped', state: 'sold' }])
    expect(await stateOf(item)).toBe('sold')
    expect(await sales()).toMatchObject({ results: [{ inventory_item_uid: item }], held: [] })
    const more = { change: (mail: string) => mail.replace(/^Message-ID.*$/m, 'Message-ID: <x@y>') }
    expect(await deliver(seller, 'mercari-sale', more)).toMatchObject({ reason: 'replayed' })
  })

  it('that comes after the reading confirms the sale', async () => {
    const seller = await build()
    const item = await list(seller, { ...camera, listing_ids: cameraId })
    const reading = saleOfListing({
      ...{ platform: 'mercari', seller_account_uid: seller.shops.mercari!, listing_id: 'm10000000001' },
      ...{ price_minor: 12_000, currency: 'USD', observed_at: new Date().toISOString() },
    })
    await recordSale(dbOf(), seller.user_id, reading)
    const date = new Date(Date.now() - 60_000)
    expect(await deliver(seller, 'mercari-sale', { date })).toMatchObject({ outcome: 'held', item_uids: [item] })
    expect(await stateOf(item)).toBe('sold')
  })

  it('finds titles of any script and marks', async () => {
    const seller = await build()
    const title = '古い“カメラ”\u200F 35mm…'
    const item = await list(seller, { ...camera, title })
    const change = (mail: string) => mail.replaceAll(camera.title, '古い"カメラ" 35mm...').replace(/ID: m\d+/g, 'ID:')
    const encode = (mail: string) =>
      mail.replace(
        /^Subject: (.*)$/m,
        (_, subject) => `Subject: =?utf-8?B?${Buffer.from(subject).toString('base64')}?=`,
      )
    expect(await deliver(seller, 'mercari-sale', { change: (mail) => encode(change(mail)) })).toMatchObject({
      outcome: 'held',
      item_uids: [item],
    })
  })

  it.each([
    ['at more than the asking price', { ...coat, price_minor: 6_300 }, ['price']],
    ['with another title under its SKU', { title: 'Denim jacket', sku: 'COAT-0042' }, ['title', 'price']],
    ['in another size', { ...coat, size: 'XXL' }, ['size']],
  ])('%s holds nothing and asks', async (_, given, differs) => {
    const seller = await build()
    const item = await list(seller, given)
    expect(await deliver(seller, 'poshmark-sale')).toMatchObject({ outcome: 'ambiguous', item_uids: [item] })
    expect(await stateOf(item)).toBe('available')
    expect(await alertsOf(seller)).toMatchObject([
      { kind: 'sale_unclear', sold: { title: coat.title }, candidates: [{ inventory_item_uid: item, differs }] },
    ])
  })

  it('that names an unknown listing asks, and holds what the seller names', async () => {
    const seller = await build()
    const item = await list(seller, camera)
    const other = await list(seller, { title: 'Tripod' })
    await deliver(seller, 'mercari-sale')
    const [alert] = await alertsOf(seller)
    expect(alert).toMatchObject({ candidates: [{ inventory_item_uid: item, differs: ['other_listing'] }] })
    const answer = (item_uid: string | null) =>
      apiOf(harness.server.url)('POST', `/api/v1/alarms/${alert!.uid}/answer/`, {
        headers: seller.bearer,
        body: { item_uid },
      })
    expect(await answer(other)).toMatchObject({ status: 200, body: { state: 'resolved' } })
    expect([await stateOf(item), await stateOf(other)]).toEqual(['available', 'reserved'])
    expect(await answer(other)).toMatchObject({ status: 200 })
    expect(await answer(item)).toMatchObject({ status: 409, body: { code: 'already_resolved' } })
  })

  it('that fits nothing asks', async () => {
    const seller = await build()
    await list(seller, { title: 'Tripod' })
    expect(await deliver(seller, 'poshmark-sale')).toMatchObject({ outcome: 'unmatched', item_uids: [] })
    expect(await alertsOf(seller)).toMatchObject([{ kind: 'sale_unclear', candidates: [], urgency: 45 }])
  })

  it.each(['poshmark-sale', 'mercari-sale', 'depop-sale'])('of %s counts once', async (name) => {
    const seller = await build()
    const given = {
      ...{ 'poshmark-sale': coat, 'mercari-sale': { ...camera, listing_ids: cameraId }, 'depop-sale': sweater },
    }[name]!
    const item = await list(seller, given)
    expect(await deliver(seller, name)).toMatchObject({ outcome: 'held' })
    const again = { change: (mail: string) => mail.replace(/^Message-ID: .*$/m, 'Message-ID: <other@example.com>') }
    expect(await deliver(seller, name, again)).toMatchObject({ outcome: 'refused', reason: 'replayed' })
    expect(await messagesOf(seller)).toHaveLength(2)
    expect(await stateOf(item)).toBe('reserved')
  })

  it('of another order asks about what an earlier one holds', async () => {
    const seller = await build()
    const item = await list(seller, coat)
    await deliver(seller, 'poshmark-sale')
    const other = '6ab7cb1fff8a471e6bfa36ff'
    const change = (mail: string) => mail.replaceAll('6ab7cb1fff8a471e6bfa36ed', other)
    expect(await deliver(seller, 'poshmark-sale', { change })).toMatchObject({
      outcome: 'ambiguous',
      item_uids: [item],
    })
    expect((await alertsOf(seller)).map(({ kind }) => kind)).toContain('sale_unclear')
  })

  it('without an order asks again where a second listing fits', async () => {
    const seller = await build()
    for (let copy = 0; copy < 2; copy++) await list(seller, sweater)
    const at = (minutes: number) => ({ date: new Date(Date.now() - minutes * 60_000) })
    const first = at(9)
    await deliver(seller, 'depop-sale', first)
    expect(await deliver(seller, 'depop-sale', first)).toMatchObject({ reason: 'replayed' })
    expect(await deliver(seller, 'depop-sale', at(3))).toMatchObject({ outcome: 'ambiguous' })
    expect(await alertsOf(seller)).toHaveLength(2)
  })

  it('of a bundle holds each line and asks about the others', async () => {
    const seller = await build()
    const scarf = await list(seller, { title: 'Silk Scarf Floral 60s', price_minor: 1_200 })
    const held = await deliver(seller, 'poshmark-sale-bundle')
    const messages = await until(
      () => messagesOf(seller),
      ({ length }) => length === 2,
    )
    const byOutcome = Object.fromEntries(messages.map((message) => [message.outcome, message]))
    expect(byOutcome.held).toMatchObject({ item_uids: [scarf], order_id: '6aafc5d18fa3339dfdab5614' })
    expect(byOutcome.unmatched).toMatchObject({
      title: 'Leather Belt Brown',
      price_minor: 1_800,
      order_id: held.order_id,
    })
    const alerts = await dbOf().any("select kind, reference from alert where user_id = $1 and state = 'open'", [
      seller.user_id,
    ])
    expect(alerts).toContainEqual({ kind: 'sale_unclear', reference: byOutcome.unmatched!.uid })
  })
})

describe('a cancellation', () => {
  it.each([
    ['poshmark', coat],
    ['mercari', { ...camera, listing_ids: cameraId }],
  ])('of %s frees what the sale held', async (slug, given) => {
    const seller = await build(['ebay', 'poshmark', 'mercari'])
    const item = await list(seller, given)
    await deliver(seller, `${slug}-sale`, { date: new Date(Date.now() - 7_200_000) })
    expect(await deliver(seller, `${slug}-cancelled`)).toMatchObject({
      kind: 'cancellation',
      outcome: 'freed',
      item_uids: [item],
    })
    expect(await stateOf(item)).toBe('available')
    const alerts = await dbOf().any('select kind from alert where user_id = $1', [seller.user_id])
    expect(alerts).toContainEqual({ kind: 'relist_offer' })
    const date = new Date(Date.now() - 7_200_000)
    expect(await deliver(seller, `${slug}-sale`, { date })).toMatchObject({ reason: 'replayed' })
    expect(await stateOf(item)).toBe('available')
  })

  it('lets a later sale of the same listing count', async () => {
    const seller = await build()
    const item = await list(seller, { ...camera, listing_ids: cameraId })
    const at = (hoursAgo: number) => ({ date: new Date(Date.now() - hoursAgo * 3_600_000) })
    await deliver(seller, 'mercari-sale', at(9))
    await deliver(seller, 'mercari-cancelled', at(6))
    expect(await deliver(seller, 'mercari-sale', at(3))).toMatchObject({ outcome: 'held' })
    expect(await stateOf(item)).toBe('reserved')
    expect(await deliver(seller, 'mercari-cancelled', at(1))).toMatchObject({ outcome: 'freed' })
  })

  it('that comes in late lets a later sale hold, but no copy', async () => {
    const seller = await build()
    const item = await list(seller, { ...camera, listing_ids: cameraId })
    const at = (hoursAgo: number) => ({ date: new Date(Date.now() - hoursAgo * 3_600_000) })
    const first = at(9)
    await deliver(seller, 'mercari-sale', first)
    expect(await deliver(seller, 'mercari-sale', at(3))).toMatchObject({ reason: 'replayed' })
    expect(await deliver(seller, 'mercari-sale', first)).toMatchObject({ reason: 'replayed' })
    expect(await deliver(seller, 'mercari-cancelled', at(6))).toMatchObject({ outcome: 'freed' })
    const outcomes = async () => (await messagesOf(seller)).map(({ outcome }) => outcome)
    await expect.poll(outcomes).toEqual(['freed', 'refused', 'held', 'held'])
    expect(await stateOf(item)).toBe('reserved')
  })

  it('that came in first keeps its sale from holding', async () => {
    const seller = await build()
    const item = await list(seller, coat)
    expect(await deliver(seller, 'poshmark-cancelled')).toMatchObject({ outcome: 'unmatched' })
    const date = new Date(Date.now() - 7_200_000)
    expect(await deliver(seller, 'poshmark-sale', { date })).toMatchObject({ outcome: 'ignored' })
    expect(await stateOf(item)).toBe('available')
  })
})

describe('a mail that is not believed', () => {
  it.each([
    ['of another domain', 'signature', { domain: 'example.com' }],
    ['of a mail service', 'signature', { domain: 'sendgrid.info' }],
    ['with rsa-sha1', 'signature', { algorithm: 'rsa-sha1' }],
    ['that was altered', 'signature', { forge: (mail: string) => mail.replace('$64.00', '$63.00') }],
    [
      'with a second From',
      'signature',
      { forge: (mail: string) => mail.replace(/^From:/m, 'From: Eve <eve@example.com>\r\nFrom:') },
    ],
    ['with a second Content-Type', 'signature', { forge: (mail: string) => `Content-Type: text/plain\r\n${mail}` }],
    ['of another sender', 'sender', { change: (mail: string) => mail.replace('<orders@', '<news@') }],
    [
      'that only its name makes a marketplace',
      'sender',
      {
        domain: 'example.com',
        change: (mail: string) =>
          mail.replace(/^From: .*$/m, 'From: "Poshmark <orders@poshmark.com>" <eve@example.com>'),
      },
    ],
    [
      'with more words in its subject',
      'form',
      { change: (mail: string) => mail.replace('on Poshmark!', 'on Poshmark! Click here') },
    ],
    ['to another seller', 'recipient', { to: 'mallory@example.net' }],
    ['of four days ago', 'too_old', { date: days(-4) }],
  ] as const)('%s is refused: %s', async (_, reason, given) => {
    const seller = await build()
    const item = await list(seller, coat)
    expect(await deliver(seller, 'poshmark-sale', given)).toMatchObject({ outcome: 'refused', reason, item_uids: [] })
    expect(await stateOf(item)).toBe('available')
  })

  it('of another address of the marketplace holds nothing and asks', async () => {
    const seller = await build()
    const item = await list(seller, coat)
    const change = (mail: string) => mail.replace('<orders@', '<noreply@')
    const { uid } = await deliver(seller, 'poshmark-sale', { change })
    expect(await stateOf(item)).toBe('available')
    expect(await alertsOf(seller)).toMatchObject([
      { kind: 'sale_unclear', candidates: [{ inventory_item_uid: item, agrees: ['title'] }] },
    ])
    const answered = await call(seller, 'POST', `messages/${uid}/resolve/`, { item_uid: item })
    expect(answered).toMatchObject({ status: 200, body: { outcome: 'held' } })
  })

  it('is believed where it was written to a tag of the confirmed address', async () => {
    const seller = await build()
    const item = await list(seller, coat)
    await deliver(seller, 'poshmark-sale', { to: seller.email.replace('@', '+posh@') })
    expect(await stateOf(item)).toBe('reserved')
  })

  it('that was forwarded by hand is told apart', async () => {
    const seller = await build()
    await list(seller, coat)
    expect(await deliver(seller, 'trap-forwarded-by-hand')).toMatchObject({ reason: 'forwarded', marketplace: null })
  })

  it('without a signature is refused, also where its form is not known', async () => {
    const seller = await build()
    const change = (mail: string) => mail.replace(/^Subject: .*\r\n(?:[ \t].*\r\n)*/m, 'Subject: News for you\r\n')
    const message = await deliver(seller, 'poshmark-sale', { change, domain: 'example.com' })
    expect(message).toMatchObject({ outcome: 'refused', reason: 'signature' })
    const { marketplaces } = (await call(seller, 'GET', '')).body
    expect(marketplaces).toContainEqual({ slug: 'poshmark', last_mail_at: null })
  })

  it('that cannot be split is malformed', async () => {
    const seller = await build()
    const bomb = (mail: string) => `${mail}${'--x\r\nContent-Type: text/plain\r\n\r\n'.repeat(200)}`
    expect(await deliver(seller, 'poshmark-sale', { change: bomb })).toMatchObject({ reason: 'malformed' })
    const large = (mail: string) => `${mail}${'x'.repeat(78)}\r\n`.padEnd(5_000_000, 'y\r\n')
    expect(await deliver(seller, 'poshmark-sale', { forge: large })).toMatchObject({ reason: 'malformed' })
  })

  it.each(['whatnot-sale', 'facebook-order'])('of %s is of no connected marketplace', async (name) => {
    const seller = await build()
    const slug = name.split('-')[0]!
    await list(seller, { title: 'Tripod' })
    expect(await deliver(seller, name)).toMatchObject({ marketplace: slug, kind: 'sale', reason: 'not_connected' })
    expect(await alertsOf(seller)).toEqual([])
  })

  it.each(['trap-poshmark-offer', 'trap-poshmark-shipped', 'trap-mercari-cancel-request', 'depop-delivered'])(
    'but is no sale, as %s, is ignored',
    async (name) => {
      const seller = await build()
      const item = await list(seller, coat)
      const message = await deliver(seller, name)
      expect(message).toMatchObject({ kind: 'other', outcome: 'ignored', reason: null, item_uids: [] })
      expect(await stateOf(item)).toBe('available')
    },
  )
})

describe('a mail that fits two items', () => {
  const twins = async () => {
    const seller = await build()
    return { seller, items: [await list(seller, coat), await list(seller, coat)].sort() }
  }

  it('holds nothing until the seller names one', async () => {
    const { seller, items } = await twins()
    const message = await deliver(seller, 'poshmark-sale')
    expect(message).toMatchObject({ outcome: 'ambiguous' })
    expect(message.item_uids.toSorted()).toEqual(items)
    expect([await stateOf(items[0]!), await stateOf(items[1]!)]).toEqual(['available', 'available'])
    const alerts = async () =>
      await harness.server.services.db.any(
        "select state, data from alert where user_id = $1 and kind = 'sale_unclear'",
        [seller.user_id],
      )
    expect(await alerts()).toMatchObject([
      { state: 'open', data: { sale_mail_uid: message.uid, candidates: [{ image: 'https://example.com/1.jpg' }, {}] } },
    ])
    const shown = await apiOf(harness.server.url)('GET', '/api/v1/alarms/', { headers: seller.bearer })
    expect(shown.body.results).toMatchObject([
      {
        kind: 'sale_unclear',
        platform: 'poshmark',
        sale_mail_uid: message.uid,
        candidates: [{ title: coat.title }, {}],
      },
    ])
    await mailAlerts(harness.server.services)
    const told = await waitForMessage(harness.server.services, seller.email, 'alert')
    expect(told.text).toContain('/app/#home')
    const { body } = await call(seller, 'GET', `messages/?uid=${message.uid}`)
    const candidate = { title: coat.title, price_minor: 6_400, currency: 'USD', state: 'available' }
    const live_on = ['poshmark', 'mercari', 'depop']
    expect(body).toMatchObject({ count: 1, results: [{ uid: message.uid, items: [{ ...candidate, live_on }, {}] }] })
    const resolve = (item_uid: string | null) => call(seller, 'POST', `messages/${message.uid}/resolve/`, { item_uid })
    const foreign = await list(seller, camera)
    expect(await resolve(foreign)).toMatchObject({ status: 400, body: { code: 'invalid_request' } })
    expect(await resolve(items[1]!)).toMatchObject({ status: 200, body: { outcome: 'held', item_uids: [items[1]] } })
    expect(await resolve(items[1]!)).toMatchObject({ status: 200 })
    expect(await resolve(items[0]!)).toMatchObject({ status: 409, body: { code: 'already_resolved' } })
    expect([await stateOf(items[0]!), await stateOf(items[1]!)]).toEqual(['available', 'reserved'])
    expect(await alerts()).toMatchObject([{ state: 'resolved' }])
    expect(await deliver(seller, 'poshmark-cancelled', { date: days(1) })).toMatchObject({ outcome: 'freed' })
  })

  it.each([
    ['the other item', 1, 'poshmark'],
    ['the same item', 0, 'poshmark'],
    ['the same item, which is not listed there', 0, 'mercari'],
  ] as const)('are asked about again when the answer is undone, and take %s', async (_, next, where) => {
    const seller = await build([where, 'depop'])
    const items = [await list(seller, coat), await list(seller, coat)].sort()
    const message = await deliver(seller, 'poshmark-sale')
    const resolve = (item_uid: string) => call(seller, 'POST', `messages/${message.uid}/resolve/`, { item_uid })
    const { change_uid } = (await resolve(items[0]!)).body
    const url = `/api/v1/changes/${change_uid}/undo/`
    const undo = () => apiOf(harness.server.url)('POST', url, { headers: seller.bearer, body: {} })
    expect(await undo()).toMatchObject({ status: 200, body: { undone: 1, kept: 0 } })
    expect(await stateOf(items[0]!)).toBe('available')
    const { body } = await call(seller, 'GET', `messages/?uid=${message.uid}`)
    expect(body.results).toMatchObject([{ outcome: message.outcome, item_uids: message.item_uids }])
    expect((await alertsOf(seller)).map(({ kind }) => kind)).toContain('sale_unclear')
    expect((await resolve(items[next]!)).body).toMatchObject({ outcome: 'held', item_uids: [items[next]] })
    const taken = where === 'poshmark' ? 'reserved' : 'sold'
    expect(await stateOf(items[next]!)).toBe(taken)
    expect(await stateOf(items[1 - next]!)).toBe('available')
    const kinds = (await alertsOf(seller)).filter((alert) => alert.inventory_item_uid === items[next])
    expect(kinds.map(({ kind }) => kind)).not.toContain('relist_offer')
    expect((await undo()).body).toMatchObject({ undone: 0 })
  })

  it('may be of none of them', async () => {
    const { seller } = await twins()
    const { uid } = await deliver(seller, 'poshmark-sale')
    const resolved = await call(seller, 'POST', `messages/${uid}/resolve/`, { item_uid: null })
    expect(resolved).toMatchObject({ status: 200, body: { outcome: 'ignored', item_uids: [] } })
    expect(await call(seller, 'GET', 'messages/?outcome=ignored')).toMatchObject({ body: { count: 1 } })
    expect(await call(await build(), 'POST', `messages/${uid}/resolve/`, { item_uid: null })).toMatchObject({
      status: 404,
    })
  })
})

describe('a sale mail of a marketplace with an API', () => {
  it.each([
    ['ebay', '15-14394-04605'],
    ['etsy', '4059000000'],
  ] as const)('has the order of %s fetched', async (slug, external_order_id) => {
    const seller = await build([slug])
    expect(await deliver(seller, `${slug}-sale`)).toMatchObject({ outcome: 'fetched', order_id: external_order_id })
    const requests = await dbOf().any(
      'select platform, external_order_id from order_fetch_request where user_id = $1',
      [seller.user_id],
    )
    expect(requests).toEqual([{ platform: slug, external_order_id }])
  })
})

describe('the intake', () => {
  it('waits for a silent name server and loses nothing', async () => {
    const seller = await build()
    const item = await list(seller, coat)
    harness.dns.setSilent(true)
    const decided = deliver(seller, 'poshmark-sale')
    await until(() => harness.server.logged.some((line) => line.includes('no name server answers')))
    expect(await messagesOf(seller)).toEqual([])
    harness.dns.setSilent(false)
    expect(await decided).toMatchObject({ outcome: 'held' })
    expect(await stateOf(item)).toBe('reserved')
  })

  it('keeps the mail encrypted and no words of the buyer', async () => {
    const seller = await build()
    await list(seller, coat)
    const { uid } = await deliver(seller, 'poshmark-sale')
    const { row } = await dbOf().one('select to_jsonb(sale_mail) as row from sale_mail where uid = $1', [uid])
    expect(JSON.stringify({ ...row, encrypted_mail: '' })).not.toMatch(/Pat Example|buyer_one/)
    expect(row.encrypted_mail).toMatch(/^\\x01/)
    expect(Buffer.from(row.encrypted_mail.slice(2), 'hex').toString('latin1')).not.toContain('Peacoat')
  })

  it("shows Gmail's question with its code and link, and opens neither", async () => {
    const seller = await build()
    const message = await deliver(seller, 'gmail-forwarding-confirmation', { to: seller.address })
    expect(message).toMatchObject({
      kind: 'other',
      outcome: 'ignored',
      confirmation: { code: '123456789', link: 'https://mail-settings.google.com/mail/vf-invented' },
    })
    const forged = await deliver(seller, 'gmail-forwarding-confirmation', { domain: 'example.com' })
    expect(forged).toMatchObject({ outcome: 'refused', reason: 'signature' })
    expect(forged).not.toHaveProperty('confirmation')
  })

  it.each([
    ['sales-0123456789abcdefghijklmnopqrst@in.hapax.example', 550],
    ['somebody@in.hapax.example', 550],
    ['somebody@example.com', 554],
  ])('takes no mail to %s', async (address, responseCode) => {
    await expect(harness.send(address, 'Subject: x\r\n\r\nhello')).rejects.toMatchObject({ responseCode })
  })

  it('takes mails to its address in any case until the address is replaced', async () => {
    const seller = await build()
    await harness.send(seller.address.toUpperCase(), 'Subject: x\r\n\r\nhello')
    const rotated = await call(seller, 'POST', 'rotate/')
    expect(rotated.body.address).not.toBe(seller.address)
    await expect(harness.send(seller.address, 'Subject: x\r\n\r\nhello')).rejects.toMatchObject({ responseCode: 550 })
    await expect(harness.send(rotated.body.address, 'x'.repeat(16_500_000))).rejects.toMatchObject({
      responseCode: 552,
    })
  })
})
