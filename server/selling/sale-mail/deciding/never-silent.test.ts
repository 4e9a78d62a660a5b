import { describe, expect, it } from 'vitest'
import { apiOf } from '#e2e/harness/api.ts'
import type { Alert } from '#shared/contract/selling/orders.ts'
import { type MailSeller, useSaleMail } from '../testing/harness.ts'

const harness = useSaleMail()
const { build, list, deliver, call, stateOf } = harness
const api = (seller: MailSeller, method: string, path: string, body?: object) =>
  apiOf(harness.server.url)(method, `/api/v1/alarms/${path}`, { headers: seller.bearer, ...(body && { body }) })
const alertsOf = async (seller: MailSeller): Promise<Alert[]> => (await api(seller, 'GET', '')).body.results
const questionsOf = async (seller: MailSeller) => (await alertsOf(seller)).filter(({ kind }) => kind === 'sale_unclear')

const novel = { title: 'First Edition Signed Novel 1971', price_minor: 8_500 }
const brooch = { title: 'Enamel Brooch Butterfly 1960s', price_minor: 3_200 }
const coat = { title: 'Wool Peacoat Navy Vintage 70s', price_minor: 6_400 }
const camera = { title: 'Film Camera Compact 35mm', price_minor: 12_000, listing_ids: { mercari: 'm10000000001' } }
// The encoding of a body counts where it is signed.
const headers = ['From', 'To', 'Subject', 'Date', 'Content-Type', 'Content-Transfer-Encoding']
const at = (minutes: number) => new Date(Date.now() - minutes * 60_000)

describe('a sale mail of a marketplace whose orders are not read', () => {
  it.each([
    ['ebay', novel],
    ['etsy', brooch],
  ] as const)('of %s asks, and the answer sells the item', async (slug, given) => {
    const seller = await build(['poshmark', 'mercari'])
    const item = await list(seller, given)
    expect(await deliver(seller, `${slug}-sale`)).toMatchObject({ outcome: 'ambiguous', item_uids: [item] })
    const [alert] = await questionsOf(seller)
    expect(alert).toMatchObject({ platform: slug, candidates: [{ inventory_item_uid: item, differs: ['not_live'] }] })
    const answered = await api(seller, 'POST', `${alert!.uid}/answer/`, { item_uid: item })
    expect(answered).toMatchObject({ status: 200, body: { state: 'resolved' } })
    expect(await stateOf(item)).toBe('sold')
    const { place } = await harness.server.services.db.one(
      `select ordered.platform as place from order_line line
       join marketplace_order ordered on ordered.user_id = line.user_id and ordered.uid = line.order_uid
       where line.item_uid = $1 and line.state = 'sold'`,
      [item],
    )
    expect(place).toBe(slug)
    const tasks = await harness.server.services.db.map(
      "select platform from extension_task where item_uid = $1 and kind = 'delist' order by platform",
      [item],
      (row) => row.platform,
    )
    expect(tasks).toEqual(['mercari', 'poshmark'])
  })

  it('holds a listing of a shop that lost its connection', async () => {
    const seller = await build(['ebay', 'poshmark'])
    const item = await list(seller, novel)
    await harness.server.services.db.none("update seller_account set status = 'reconnect_required' where uid = $1", [
      seller.shops.ebay,
    ])
    expect(await deliver(seller, 'ebay-sale')).toMatchObject({ outcome: 'held', item_uids: [item] })
  })

  it('asks where it fits nothing', async () => {
    const seller = await build([])
    expect(await deliver(seller, 'ebay-sale')).toMatchObject({ outcome: 'unmatched' })
    expect(await questionsOf(seller)).toMatchObject([{ sold: { title: novel.title }, candidates: [] }])
  })

  it('asks about each thing of an order', async () => {
    const seller = await build(['poshmark'])
    const items = [await list(seller, brooch), await list(seller, { title: 'Brass letter opener' })]
    const second = 'Item:               Brass letter opener\r\nItem price:         US$5.00\r\n'
    const change = (mail: string) => mail.replace('-----\r\nOrder Total', `-----\r\n${second}Order Total`)
    await deliver(seller, 'etsy-sale', { change })
    const asked = (await questionsOf(seller)).flatMap(({ candidates = [] }) => candidates)
    expect(asked.map(({ inventory_item_uid }) => inventory_item_uid).toSorted()).toEqual(items.toSorted())
  })

  it('asks about a mail that only names an order', async () => {
    const seller = await build(['poshmark'])
    expect(await deliver(seller, 'etsy-refund')).toMatchObject({ kind: 'cancellation', reason: 'form' })
    expect(await questionsOf(seller)).toMatchObject([{ platform: 'etsy' }])
  })
})

describe('a sale mail of a marketplace that is not connected', () => {
  it.each([
    ['vinted', 'Vinted', 'Kids Running Shoes size 8'],
    ['whatnot', 'Whatnot', 'Postcard Mountain Lodge 1950s'],
    ['facebook', 'Facebook Marketplace', 'Oak Side Table Mid Century'],
    ['grailed', 'Grailed', 'Denim Trucker Jacket'],
  ])('of %s asks about an item that it fits', async (slug, place, title) => {
    const seller = await build(['poshmark'])
    const item = await list(seller, { title, price_minor: 9_000 })
    const name = slug === 'facebook' ? 'facebook-order' : `${slug}-sale`
    const message = await deliver(seller, name, { headers })
    expect(message).toMatchObject({ marketplace: slug, outcome: 'ambiguous', item_uids: [item], title })
    const [alert] = await questionsOf(seller)
    expect(alert).toMatchObject({ platform: null, sold: { title }, candidates: [{ inventory_item_uid: item }] })
    expect(alert!.message).toContain(`sold on ${place}.`)
    expect(await deliver(seller, name, { headers })).toMatchObject({ outcome: 'refused', reason: 'replayed' })
    expect(await call(seller, 'POST', `messages/${message.uid}/resolve/`, { item_uid: item })).toMatchObject({
      ...{ status: 200, body: { outcome: 'held' } },
    })
    expect(await stateOf(item)).toBe('sold')
    expect(await questionsOf(seller)).toEqual([])
  })

  // Subjects and domains as public parsers of such mails have them.
  const shoes = 'Kids Running Shoes size 8'
  it.each([
    ['You’ve sold an item on Vinted', 'vinted.com', 'has bought'],
    ["You've sold an item on Vinted", 'vinted.co.uk', 'has bought'],
    ['Hai venduto un articolo su Vinted', 'vinted.it', 'ha acquistato'],
    ["Ton article s'est vendu !", 'vinted.fr', 'a acheté'],
  ])('of Vinted asks about its item: %s from %s', async (subject, domain, words) => {
    const seller = await build(['poshmark'])
    const item = await list(seller, { title: shoes })
    const change = (mail: string) =>
      mail
        .replace(/^Subject: .*$/m, `Subject: =?utf-8?B?${Buffer.from(subject).toString('base64')}?=`)
        .replace('no-reply@vinted.com', `no-reply@${domain}`)
        .replace('has boug=\r\nht', words.replace('é', '=C3=A9'))
    expect(await deliver(seller, 'vinted-sale', { change, domain, headers })).toMatchObject({ item_uids: [item] })
    expect(await questionsOf(seller)).toMatchObject([{ sold: { title: shoes } }])
  })

  it.each(['Your listing has sold', 'Your item sold!', 'Sale confirmed'])('of Grailed asks: %s', async (subject) => {
    const seller = await build(['poshmark'])
    const item = await list(seller, { title: 'Denim Trucker Jacket' })
    const change = (mail: string) => mail.replace(/^Subject: .*$/m, `Subject: ${subject}`)
    expect(await deliver(seller, 'grailed-sale', { change, headers })).toMatchObject({ item_uids: [item] })
    expect(await questionsOf(seller)).toHaveLength(1)
  })

  it('asks how many of a bundle that Vinted counts', async () => {
    const seller = await build(['poshmark'])
    const change = (mail: string) => mail.replace(`<div>${shoes}</div>`, '<div>2</div><div>Bundle 2 items</div>')
    expect(await deliver(seller, 'vinted-sale', { change, headers })).toMatchObject({
      outcome: 'unmatched',
      title: null,
    })
    expect(await questionsOf(seller)).toHaveLength(1)
  })

  it('asks about a second sale of a title to another buyer', async () => {
    const seller = await build(['poshmark'])
    await list(seller, { title: shoes })
    await list(seller, { title: shoes })
    const second = (mail: string) => mail.replace('buyer_six', 'buyer_seven')
    await deliver(seller, 'vinted-sale', { headers, date: at(90) })
    expect(await deliver(seller, 'vinted-sale', { change: second, headers, date: at(30) })).toMatchObject({
      outcome: 'ambiguous',
    })
    expect(await deliver(seller, 'vinted-sale', { change: second, headers, date: at(30) })).toMatchObject({
      reason: 'replayed',
    })
    expect(await questionsOf(seller)).toHaveLength(2)
  })

  it('asks where it names nothing', async () => {
    const seller = await build(['poshmark'])
    await list(seller, coat)
    const change = (mail: string) => mail.replaceAll('Kids Running Shoes size 8', 'Bundle 3 items')
    expect(await deliver(seller, 'vinted-sale', { change, headers })).toMatchObject({ outcome: 'unmatched' })
    expect(await questionsOf(seller)).toHaveLength(1)
  })

  it('asks nothing about a thing that fits no item', async () => {
    const seller = await build(['poshmark'])
    await list(seller, coat)
    expect(await deliver(seller, 'vinted-sale', { headers })).toMatchObject({ reason: 'not_connected' })
    expect(await alertsOf(seller)).toEqual([])
  })

  it.each([
    ['vinted-label', {}],
    ['trap-whatnot-cancel-request', {}],
    ['vinted-sale', { domain: 'example.com' }],
    ['vinted-sale', { to: 'mallory@example.net' }],
    ['vinted-sale', { change: (mail: string) => mail.replace('You sold an item on Vinted', 'New offer for shoes') }],
  ])('asks nothing for %s %j', async (name, given) => {
    const seller = await build(['poshmark'])
    await list(seller, { title: 'Kids Running Shoes size 8' })
    expect(await deliver(seller, name, given)).toMatchObject({ reason: 'not_connected' })
    expect(await alertsOf(seller)).toEqual([])
  })
})

// Subjects that public collections of such mails have.
it.each(['Drop prices. Make $$$. Repeat.', 'Get your listings SOLD', 'Say hello to major SALES'])(
  'advertising of Poshmark asks nothing: %s',
  async (subject) => {
    const seller = await build()
    await list(seller, coat)
    const change = (mail: string) =>
      mail
        .replace(/^Subject: .*\r\n(?:[ \t].*\r\n)*/m, `Subject: ${subject}\r\n`)
        .replace('<orders@', '<info@')
        .replace(/sold/gi, 'shown')
    expect(await deliver(seller, 'poshmark-sale', { change })).toMatchObject({ outcome: 'ignored' })
    expect(await alertsOf(seller)).toEqual([])
  },
)

describe('a cancellation', () => {
  it('of one of two sales of a title frees neither and asks', async () => {
    const seller = await build()
    const twin = { ...camera, listing_ids: { mercari: 'm10000000002' } }
    const items = [await list(seller, camera), await list(seller, twin)]
    await deliver(seller, 'mercari-sale', { date: at(9) })
    const change = (mail: string) => mail.replaceAll('m10000000001', 'm10000000002')
    expect(await deliver(seller, 'mercari-sale', { change, date: at(8) })).toMatchObject({ outcome: 'held' })
    expect(await deliver(seller, 'mercari-cancelled', { date: at(3) })).toMatchObject({ outcome: 'ignored' })
    expect(await Promise.all(items.map(stateOf))).toEqual(['reserved', 'reserved'])
    expect((await alertsOf(seller)).filter(({ kind }) => kind === 'sale_unclear')).toHaveLength(1)
  })
})

describe('a mail about a sale that was told before', () => {
  const poshmark =
    (title: string, price = '$64.00') =>
    (mail: string) =>
      mail.replaceAll(coat.title, title).replaceAll('$64.00', price)
  const mercari =
    (title: string, price = '$120.00') =>
    (mail: string) =>
      mail.replaceAll(camera.title, title).replaceAll('$120.00', price)
  const depop = (price: string) => (mail: string) => mail.replaceAll('$30.00', price)
  const sweater = { title: 'Striped knit sweater in blue and cream, soft and warm', price_minor: 3_000 }

  it.each([
    ['title', 'poshmark-sale', coat, poshmark('Silk Scarf Floral')],
    ['price', 'poshmark-sale', coat, poshmark(coat.title, '$60.00')],
    ['title', 'mercari-sale', camera, mercari('Silk Scarf Floral')],
    ['price', 'mercari-sale', camera, mercari(camera.title, '$99.00')],
    ['price', 'depop-sale', sweater, depop('$22.00')],
  ] as const)('asks about another %s in a second %s', async (_, name, given, change) => {
    const seller = await build()
    const item = await list(seller, given)
    expect(await deliver(seller, name, { date: at(9) })).toMatchObject({ outcome: 'held' })
    const message = await deliver(seller, name, { change, date: at(3) })
    expect(['ambiguous', 'unmatched']).toContain(message.outcome)
    expect(await questionsOf(seller)).toHaveLength(1)
    expect(await stateOf(item)).toBe('reserved')
    expect(await deliver(seller, name, { change, date: at(3) })).toMatchObject({ reason: 'replayed' })
  })

  it('asks where the item of the first is long sold and another fits', async () => {
    const seller = await build()
    const first = await list(seller, sweater)
    await deliver(seller, 'depop-sale', { date: at(90) })
    await harness.server.services.db.none(
      "update channel_listing set state = 'sold', updated_at = now() - interval '10 days' where item_uid = $1",
      [first],
    )
    const second = await list(seller, sweater)
    const message = await deliver(seller, 'depop-sale', { date: at(3) })
    expect(message).toMatchObject({ outcome: 'ambiguous', item_uids: [second] })
    expect(await stateOf(second)).toBe('available')
    expect(await questionsOf(seller)).toHaveLength(1)
  })

  const bundle = [{ title: 'Silk Scarf Floral 60s' }, { title: 'Leather Belt Brown' }, { title: 'Wool Cap Tweed' }]
  const withAnother = (mail: string) => mail.replaceAll('Leather Belt Brown', 'Wool Cap Tweed')

  it('asks about another item in the bundle of a known order', async () => {
    const seller = await build()
    const [scarf, belt, cap] = [
      await list(seller, bundle[0]!),
      await list(seller, bundle[1]!),
      await list(seller, bundle[2]!),
    ]
    expect(await deliver(seller, 'poshmark-sale-bundle', { date: at(9) })).toMatchObject({ outcome: 'held' })
    const message = await deliver(seller, 'poshmark-sale-bundle', { change: withAnother, date: at(3) })
    expect(message).toMatchObject({ outcome: 'ambiguous', item_uids: [cap] })
    const [question, ...others] = await questionsOf(seller)
    expect(others).toEqual([])
    expect(question!.candidates).toMatchObject([{ inventory_item_uid: cap }])
    expect(await Promise.all([scarf, belt, cap].map(stateOf))).toEqual(['reserved', 'reserved', 'available'])
    const copies = [
      await deliver(seller, 'poshmark-sale-bundle', { date: at(2) }),
      await deliver(seller, 'poshmark-sale-bundle', { change: withAnother, date: at(1) }),
    ]
    expect(copies).toMatchObject([{ reason: 'replayed' }, { reason: 'replayed' }])
    expect(await questionsOf(seller)).toHaveLength(1)
  })

  it('takes the same bundle of another order for another sale', async () => {
    const seller = await build()
    await list(seller, bundle[0]!)
    const cap = await list(seller, bundle[2]!)
    await deliver(seller, 'poshmark-sale-bundle', { date: at(9) })
    const change = (mail: string) => withAnother(mail).replace('6aafc5d18fa3339dfdab5614', '6aafc5d18fa3339dfdab5615')
    await deliver(seller, 'poshmark-sale-bundle', { change, date: at(3) })
    expect(await stateOf(cap)).toBe('reserved')
    // The scarf of the first order is gone.
    expect(await questionsOf(seller)).toHaveLength(2)
  })

  it('asks about another item in a bundle without an order', async () => {
    const seller = await build()
    const cap = await list(seller, { ...bundle[2]!, price_minor: 1_800 })
    const rows = (second: string) => (mail: string) =>
      mail.replaceAll('$30.00', `$30.00\r\n${second}\r\n$18.00`).replaceAll('<p>$30.00</p>', '')
    await list(seller, sweater)
    await deliver(seller, 'depop-sale', { change: rows('Leather Belt Brown'), date: at(9) })
    const asked = (await questionsOf(seller)).length
    const message = await deliver(seller, 'depop-sale', { change: rows(bundle[2]!.title), date: at(3) })
    expect(message).toMatchObject({ outcome: 'ambiguous', item_uids: [cap] })
    expect(await questionsOf(seller)).toHaveLength(asked + 1)
  })

  it('asks about each bundle of a buyer that Mercari numbers', async () => {
    const seller = await build()
    const change = (mail: string) => mail.replace('b60000000001', 'b60000000002')
    const first = await deliver(seller, 'mercari-bundle', { date: at(9) })
    const asked = (await questionsOf(seller)).length
    expect(first).toMatchObject({ outcome: 'unmatched', order_id: 'b60000000001' })
    expect(await deliver(seller, 'mercari-bundle', { change, date: at(3) })).toMatchObject({ outcome: 'unmatched' })
    expect(await questionsOf(seller)).toHaveLength(asked * 2)
    expect(await deliver(seller, 'mercari-bundle', { date: at(2) })).toMatchObject({ reason: 'replayed' })
  })

  it('asks where a canceled order is used for another item', async () => {
    const seller = await build()
    const [item, other] = [await list(seller, coat), await list(seller, { title: 'Silk Scarf Floral' })]
    await deliver(seller, 'poshmark-sale', { date: at(9) })
    await deliver(seller, 'poshmark-cancelled', { date: at(6) })
    const change = poshmark('Silk Scarf Floral', '$40.00')
    const message = await deliver(seller, 'poshmark-sale', { change, date: at(3) })
    expect(message).toMatchObject({ outcome: 'ambiguous' })
    expect(message.item_uids).toContain(other)
    expect(await stateOf(item)).toBe('available')
  })
})
