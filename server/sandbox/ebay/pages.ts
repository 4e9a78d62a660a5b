import { faultButtons } from '../kit/fault-page.ts'
import { escapeHtml } from '../kit/html.ts'
import { consentForm, createPage, pictureTags, postButton } from '../kit/pages.ts'
import { type SandboxItem, type SandboxSeller, unitsLeft } from './item.ts'
import type { SandboxOrder } from './orders.ts'

export const page = createPage({
  name: 'Sandbox eBay',
  banner: 'made-up sellers and listings on your own machine',
  accent: '#2f4858',
})

export function consentPage(sellers: SandboxSeller[], fields: Record<string, string>): string {
  const form = consentForm({
    action: '/oauth2/authorize',
    field: 'seller',
    accounts: sellers.map(({ username, about }) => ({ value: username, name: username, about })),
    fields,
    agree: 'Agree and continue',
    decline: 'Decline',
  })
  return page(
    'Sign in and grant access',
    `<p>An application asks to read your listings and orders and to act for you.</p>\n${form}`,
  )
}

export function refusalPage(reason: string, title = 'This cannot be granted'): string {
  return page(title, `<p role="alert">${escapeHtml(reason)}</p>`)
}

export function homePage(shops: { seller: SandboxSeller; items: SandboxItem[] }[]): string {
  const rows = shops.map(({ seller, items }) => {
    const active = items.filter((item) => item.status === 'Active').length
    const link = `<a href="/usr/${encodeURIComponent(seller.username)}">${escapeHtml(seller.username)}</a>`
    return `<li>${link}: ${active} listings on offer, ${items.length - active} sold or ended</li>`
  })
  return page('Sellers', `<ul>${rows.join('\n')}</ul>${faultButtons('eBay')}`)
}

export function shopPage(seller: SandboxSeller, items: SandboxItem[], orders: SandboxOrder[]): string {
  const rows = items.map(
    (item) =>
      `<li><a href="/itm/${item.itemId}">${escapeHtml(item.title)}</a>, ${escapeHtml(item.price)} ${item.currency}, ${item.status} ${buyForm(item)}</li>`,
  )
  return page(
    seller.username,
    `<p>${escapeHtml(seller.about)}</p>${relistingForm(seller)}${orderList(orders)}<h2>Listings</h2><ul>${rows.join('\n')}</ul>`,
  )
}

const relistingForm = ({ username, relistsCanceled = true }: SandboxSeller) =>
  postButton(
    `/usr/${encodeURIComponent(username)}/relisting`,
    `Automatically relist canceled items: ${relistsCanceled ? 'on' : 'off'}`,
  )

function orderList(orders: SandboxOrder[]): string {
  if (orders.length === 0) return ''
  const rows = orders.map(
    (order) =>
      `<li><a href="/order/${order.orderId}">${order.orderId}</a>: ${order.lines.map(({ title }) => escapeHtml(title)).join(', ')}, ${stateOf(order)}</li>`,
  )
  return `<h2>Orders</h2><ul>${rows.join('\n')}</ul>`
}

const stateOf = (order: SandboxOrder) => (order.cancel === 'CANCELED' ? 'cancelled' : order.payment.toLowerCase())

/** Returns the button that buys one unit; empty where none is left. */
function buyForm(item: SandboxItem): string {
  if (item.status !== 'Active' || unitsLeft(item) < 1) return ''
  return postButton(`/itm/${item.itemId}/buy`, 'Buy', { label: `Buy ${item.title}` })
}

/** Returns the buyer’s view of an order. */
export function orderPage(order: SandboxOrder): string {
  const rows = order.lines.map(
    ({ itemId, title, price, currency, quantity }) =>
      `<li>${quantity} × <a href="/itm/${itemId}">${escapeHtml(title)}</a>, ${escapeHtml(price)} ${currency}</li>`,
  )
  const seller = `<a href="/usr/${encodeURIComponent(order.seller)}">${escapeHtml(order.seller)}</a>`
  const next =
    order.cancel === 'CANCELED'
      ? '<p>It is cancelled. eBay has relisted a single piece under a new number, and sends no push: applications find out when they next read the orders.</p>'
      : `<p>eBay tells the seller’s application at once.</p>
${postButton(`/order/${order.orderId}/cancel`, 'Cancel this order')}
${order.fulfillment === 'FULFILLED' ? postButton(`/order/${order.orderId}/return`, 'Return it') : postButton(`/order/${order.orderId}/ship`, 'Buy a label and ship')}`
  return page(
    `Order ${order.orderId}`,
    `<p>Bought from ${seller}, ${stateOf(order)}.</p><ul>${rows.join('\n')}</ul>${parcelText(order)}${next}`,
  )
}

const parcelText = ({ parcels = [] }: SandboxOrder) =>
  parcels
    .map(({ carrier, tracking }) => `<p>Shipped${tracking ? ` with ${escapeHtml(`${carrier} ${tracking}`)}` : ''}.</p>`)
    .join('')

const auctionText = ({ listingType, bids = 0, endsAt }: SandboxItem) =>
  listingType === 'Chinese' ? `, auction with ${bids} bids${endsAt ? ` until ${endsAt}` : ''}` : ''

const saleText = ({ sale, currency }: SandboxItem) =>
  sale ? `<p>In a sale event at ${escapeHtml(sale.price)} ${currency} until ${sale.endsAt}.</p>` : ''

/** Returns a listing's page. The description is shown as its source, because a seller's HTML must not run here. */
export function itemPage(item: SandboxItem, seller: string): string {
  return page(
    item.title,
    `<p>${escapeHtml(item.price)} ${item.currency}, ${item.status}${auctionText(item)}, by <a href="/usr/${encodeURIComponent(seller)}">${escapeHtml(seller)}</a></p>
<p>Item ${item.itemId}, SKU ${escapeHtml(item.sku ?? 'none')}, ${item.quantity} offered, ${item.quantitySold} sold</p>
${saleText(item)}
${buyForm(item)}
${item.status === 'Active' ? postButton(`/itm/${item.itemId}/sale`, item.sale ? 'End the sale event' : 'Start a sale event: 30 % off for a week') : ''}
<p>${pictureTags(item.pictures, (number) => `/images/${item.itemId}/${number}.png`)}</p>
<ul>${item.specifics.map(({ name, values }) => `<li>${escapeHtml(`${name}: ${values.join(', ')}`)}</li>`).join('')}</ul>
<pre>${escapeHtml(item.description)}</pre>`,
  )
}
