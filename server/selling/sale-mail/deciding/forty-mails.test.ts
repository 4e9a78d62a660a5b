import { expect, it } from 'vitest'
import { apiOf } from '#e2e/harness/api.ts'
import type { PlatformSlug } from '#shared/platforms.ts'
import { useSaleMail } from '../testing/harness.ts'

/**
 * Mails by the forms that sellers and readers of real mails published: colporteur, label-agent and artflow for Poshmark,
 * label-agent and resale trackers for Mercari and Depop, sellers' guides for eBay and Etsy. Titles and people are made up.
 */
const items = {
  coat: { title: 'Wool Peacoat Navy Vintage 70s', sku: 'COAT-7', size: 'M', price_minor: 6_400 },
  scarf: { title: 'Silk Scarf Floral 60s', sku: 'SCARF-2', price_minor: 1_800 },
  camera: {
    title: 'Film Camera Compact 35mm',
    price_minor: 12_000,
    listing_ids: { mercari: 'm10000000001', ebay: '123456789012' },
  },
  sweater: { title: 'Striped knit sweater in blue and cream, soft and warm', size: 'S', price_minor: 3_000 },
  mug: { title: 'Blue mug', price_minor: 1_000 },
}
type Name = keyof typeof items
const { coat, scarf, camera, sweater, mug } = items

interface Mail {
  from: string
  subject: string
  lines: string[]
}
const order = (last = 1) => `6ab7cb1fff8a471e6bfa36e${last}`
const posh = (subject: string, ...lines: string[]): Mail => ({
  from: 'Poshmark <orders@poshmark.com>',
  subject,
  lines: ['Hi Wilma! Great news - you just sold an item on Poshmark.', 'Order Date', 'October 5, 2026', ...lines],
})
const row = (title: string, price: string, size = 'OS') => [title, `Size: ${size}`, `Price: ${price}`]
const poshSale = (title: string, price: string, { id = order(), more = [] as string[], size = 'M' } = {}) =>
  posh(
    `"${title}" just sold to @buyer_one on Poshmark!`,
    'Order ID',
    id,
    'Item',
    'Price',
    ...row(title, price, size),
    ...more,
  )
const poshBundle = (subject: string, rows: string[]) =>
  posh(
    subject,
    'you just sold 2 items in a bundle',
    'Order ID',
    order(),
    'Item',
    'Price',
    ...rows,
    'Offer Price $20.00',
  )
const mercari = (subject: string, ...lines: string[]): Mail => ({
  from: 'Mercari <no-reply@alerts.us.mercari.com>',
  subject,
  lines: ['Congratulations! You made a sale.', ...lines],
})
const mercariSale = (title: string, id: string, price: string) =>
  mercari(`You've made a sale: ${title}`, 'Item details', title, `ID: ${id}`, 'Price', price, 'Earnings', '$1.00')
const depop = (subject: string, ...lines: string[]): Mail => ({
  from: 'Depop <sold@alerts.depop.com>',
  subject,
  lines: ["You've made a sale!", 'Order details', ...lines, 'Ship to', 'Pat Example', 'Payment details'],
})
const depopSubject = 'Your USPS shipping label and sale confirmation for @buyer_three.'
const ebay = (subject: string, ...lines: string[]): Mail => ({ from: 'eBay <ebay@ebay.com>', subject, lines })
const etsy = (subject: string, ...lines: string[]): Mail => ({
  from: 'Etsy Transactions <transaction@etsy.com>',
  subject,
  lines,
})
const ebayOrder = ['Sold: $110.00', 'Order: 12-34567-89012', 'Date sold: Oct 5, 2026', 'Buyer: buyer_four']
const etsyOrder = ['Congratulations on your Etsy order for 1 item.', 'Transaction ID: 4059000001', 'Item price: $18.00']
const from = (address: string, subject: string): Mail => ({ from: address, subject, lines: ['See it in the app.'] })
const cut = `${sweater.title.slice(0, 44)}...`

/** The seller's browser, without a connection to eBay or Etsy. */
const browser: PlatformSlug[] = ['poshmark', 'mercari', 'depop']
interface Row {
  what: string
  mails: Mail[]
  shops?: PlatformSlug[]
  /** The items that are held. */
  holds?: Name[]
  /** `may`: nothing sold, and a question does no harm. */
  asks?: boolean | 'may'
  /** The order is fetched, and decides. */
  fetches?: boolean
  isTrap?: boolean
}

const rows: Row[] = [
  { what: 'Poshmark, at the asking price', mails: [poshSale(coat.title, '$64.00')], holds: ['coat'] },
  { what: 'Poshmark, below it', mails: [poshSale(coat.title, '$50.00')], holds: ['coat'] },
  {
    what: 'Poshmark, an offer that was accepted',
    mails: [poshSale(coat.title, '$64.00', { more: ['Offer Price $41.00'] })],
    holds: ['coat'],
  },
  {
    what: 'Poshmark, a bundle',
    mails: [
      poshBundle(`"Bundle of ${coat.title} and 1 more item" just sold to @b on Poshmark!`, [
        ...row(coat.title, '$12.00', 'M'),
        ...row(scarf.title, '$8.00'),
      ]),
    ],
    holds: ['coat', 'scarf'],
  },
  {
    what: 'Poshmark, a bundle that names one thing of two',
    mails: [poshBundle('"2 items in bundle" just sold to @b on Poshmark!', row(scarf.title, '$8.00'))],
    holds: ['scarf'],
    asks: true,
  },
  { what: 'Poshmark, twice', mails: [poshSale(coat.title, '$64.00'), poshSale(coat.title, '$64.00')], holds: ['coat'] },
  {
    what: 'Poshmark, one thing to two buyers',
    mails: [poshSale(coat.title, '$64.00'), poshSale(coat.title, '$64.00', { id: order(2) })],
    holds: ['coat'],
    asks: true,
    isTrap: true,
  },
  {
    what: 'Poshmark, canceled',
    mails: [
      poshSale(coat.title, '$64.00'),
      {
        ...posh(`Please do not ship: "${coat.title}" for @buyer_one was canceled`),
        lines: [`Re: Order Id ${order()}`, 'was canceled'],
      },
    ],
  },
  {
    what: 'Poshmark, a refund in words that nobody knows',
    mails: [
      poshSale(coat.title, '$64.00'),
      from('Poshmark <support@poshmark.com>', `Refund issued for "${coat.title}"`),
    ],
    holds: ['coat'],
    asks: true,
    isTrap: true,
  },
  {
    what: 'Poshmark, an offer',
    mails: [from('Poshmark <orders@poshmark.com>', `You have an offer on "${coat.title}"!`)],
    isTrap: true,
  },
  {
    what: 'Poshmark, an offer on a thing whose title tells of a sale',
    mails: [
      from('Poshmark <orders@poshmark.com>', `You have an offer on "${coat.title}" just sold to @b on Poshmark!"!`),
    ],
    isTrap: true,
  },
  {
    what: 'Poshmark, a liked listing',
    mails: [from('Poshmark <orders@poshmark.com>', `A listing that you liked just sold: "${coat.title}"`)],
    isTrap: true,
  },
  {
    what: 'Poshmark, a price drop',
    mails: [from('Poshmark <hello@poshmark.com>', `Price drop: "${coat.title}" is now $40`)],
    asks: 'may',
    isTrap: true,
  },
  {
    what: 'Poshmark, a label',
    mails: [from('Poshmark <orders@poshmark.com>', `Here is your shipping label for "${coat.title}"`)],
    isTrap: true,
  },
  {
    what: 'Poshmark, an unknown subject',
    mails: [posh(`"${coat.title}" found a new home`, 'Order ID', order())],
    asks: true,
  },
  {
    what: 'Poshmark in French',
    mails: [posh(`Félicitations! "${coat.title}" vient d'être vendu à @acheteur`, 'Numéro', order())],
    asks: true,
  },
  { what: 'Poshmark, a thing that is not in Hapax', mails: [poshSale('Leather Belt Brown', '$20.00')], asks: true },
  {
    what: 'Poshmark, the SKU of one thing and the title of none',
    mails: [poshSale('Leather Belt Brown', '$20.00', { more: [`SKU: ${coat.sku}`] })],
    asks: true,
    isTrap: true,
  },
  {
    what: 'Poshmark, another size',
    mails: [poshSale(coat.title, '$64.00', { size: 'XXL' })],
    asks: true,
    isTrap: true,
  },
  {
    what: 'Mercari, at the asking price',
    mails: [mercariSale(camera.title, 'm10000000001', '$120.00')],
    holds: ['camera'],
  },
  { what: 'Mercari, below it', mails: [mercariSale(camera.title, 'm10000000001', '$75.00')], holds: ['camera'] },
  {
    what: 'Mercari, another listing of a title',
    mails: [mercariSale(camera.title, 'm10000000009', '$120.00')],
    asks: true,
    isTrap: true,
  },
  {
    what: 'Mercari, a bundle',
    mails: [
      mercari(
        "You've made a sale: Bundle for @b",
        'Item details',
        'Bundle for @b',
        'ID: b60000000001',
        'Price',
        '$9.00',
      ),
    ],
    asks: true,
  },
  {
    what: 'Mercari, canceled',
    mails: [mercariSale(camera.title, 'm10000000001', '$120.00'), mercari(`Transaction canceled: ${camera.title}`)],
  },
  {
    what: 'Mercari, a request to cancel',
    mails: [
      mercariSale(camera.title, 'm10000000001', '$120.00'),
      mercari(`The buyer has asked to cancel ${camera.title}.`),
    ],
    holds: ['camera'],
    isTrap: true,
  },
  { what: 'Mercari, a like', mails: [mercari('Your item was liked')], isTrap: true },
  {
    what: 'Mercari, a newsletter',
    mails: [from('Mercari <no-reply@hello.us.mercari.com>', `Price drop on ${camera.title}`)],
    isTrap: true,
  },
  {
    what: 'Mercari, an unknown subject',
    mails: [mercari('Pack it up, Wilma', 'Item details', camera.title)],
    asks: true,
  },
  {
    what: 'Mercari in Japanese',
    mails: [mercari('商品が購入されました', 'Item details', camera.title, 'ID: m10000000001')],
    asks: true,
  },
  { what: 'Depop, at the asking price', mails: [depop(depopSubject, cut, 'Size:', 'S', '$30.00')], holds: ['sweater'] },
  { what: 'Depop, below it', mails: [depop(depopSubject, cut, 'Size:', 'S', '$21.00')], holds: ['sweater'] },
  {
    what: 'Depop, two things',
    mails: [depop(depopSubject, cut, 'Size:', 'S', '$30.00', scarf.title, '$18.00')],
    holds: ['sweater', 'scarf'],
  },
  {
    what: 'Depop, the beginning of a short title',
    mails: [depop(depopSubject, `${mug.title.slice(0, 6)}...`, '$10.00')],
    asks: true,
  },
  { what: 'Depop, an offer', mails: [depop('@buyer_three made you an offer', cut, '$20.00')], isTrap: true },
  { what: 'Depop, a purchase', mails: [depop('Your Depop order is confirmed', cut, '$30.00')], isTrap: true },
  {
    what: 'Depop in German',
    mails: [depop('Dein Versandetikett und deine Verkaufsbestätigung für @b', cut, '$30.00')],
    asks: true,
  },
  {
    what: 'eBay, whose orders are read',
    mails: [ebay(`You made the sale for ${camera.title}`, ...ebayOrder)],
    shops: ['ebay', 'poshmark'],
    fetches: true,
  },
  {
    what: 'eBay in German',
    mails: [ebay(`Sie haben verkauft: ${camera.title}`, ...ebayOrder)],
    shops: ['ebay', 'poshmark'],
    fetches: true,
  },
  { what: 'eBay, whose orders nobody reads', mails: [ebay(`You sold: ${camera.title}`, ...ebayOrder)], asks: true },
  {
    what: 'eBay, an offer that was accepted',
    mails: [ebay(`You accepted an offer: ${camera.title}`, 'Total $90.00')],
    asks: true,
  },
  {
    what: 'eBay, the purchase of a like thing',
    mails: [ebay(`Order confirmed: ${camera.title}`, ...ebayOrder)],
    isTrap: true,
  },
  {
    what: 'Etsy, whose orders are read',
    mails: [etsy('You made a sale on Etsy - Ship by Oct 9 - [$18.00, Order #4059000000]', ...etsyOrder)],
    shops: ['etsy', 'poshmark'],
    fetches: true,
  },
  {
    what: 'Etsy, whose orders nobody reads',
    mails: [
      etsy(
        'You made a sale on Etsy - Ship by Oct 9 - [$18.00, Order #4059000000]',
        ...etsyOrder,
        `Item: ${scarf.title}`,
      ),
    ],
    asks: true,
  },
  {
    what: 'Etsy, a newsletter',
    mails: [from('Etsy <hi@email.etsy.com>', `${scarf.title} and more on your list`)],
    isTrap: true,
  },
]

const harness = useSaleMail()
const { build, list, deliver, stateOf } = harness

it.each(rows)(
  'takes it for what it is: $what',
  async ({ mails, shops = browser, holds = [], asks = false, fetches }) => {
    const seller = await build(shops)
    const uids = new Map<string, Name>()
    for (const [name, item] of Object.entries(items)) uids.set(await list(seller, item), name as Name)
    let minutes = 60
    const outcomes: string[] = []
    for (const mail of mails) {
      const slug = /@(?:[\w.]+\.)?(\w+)\.com/.exec(mail.from)![1]!
      const date = new Date(Date.now() - 60_000 * minutes--).toUTCString()
      const text = [
        ...[
          `From: ${mail.from}`,
          `To: Wilma <${seller.email}>`,
          `Date: ${date}`,
          `Message-ID: <${minutes}@mail.example>`,
        ],
        `Subject: =?utf-8?B?${Buffer.from(mail.subject).toString('base64')}?=`,
        ...['MIME-Version: 1.0', 'Content-Type: text/plain; charset=utf-8', '', ...mail.lines, ''],
      ]
      const headers = ['From', 'To', 'Subject', 'Date', 'Content-Type']
      const { outcome } = await deliver(seller, `${slug}-sale`, { change: () => text.join('\r\n'), headers })
      outcomes.push(outcome)
    }
    const held: Name[] = []
    for (const [uid, name] of uids) if ((await stateOf(uid)) !== 'available') held.push(name)
    const { results } = (await apiOf(harness.server.url)('GET', '/api/v1/alarms/', { headers: seller.bearer })).body
    const questions = results.filter(({ kind }: { kind: string }) => kind === 'sale_unclear')
    expect(held.toSorted()).toEqual(holds.toSorted())
    if (asks !== 'may') expect(questions.length > 0).toBe(asks)
    expect(outcomes.includes('fetched')).toBe(fetches ?? false)
  },
)

it('has a third of traps', () => {
  expect(rows.length).toBeGreaterThanOrEqual(40)
  expect(rows.filter(({ isTrap }) => isTrap).length * 3).toBeGreaterThanOrEqual(rows.length)
})
