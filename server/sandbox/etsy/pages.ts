import { faultButtons } from '../kit/fault-page.ts'
import { escapeHtml } from '../kit/html.ts'
import { consentForm, createPage, pictureTags, postButton } from '../kit/pages.ts'
import { imagesOf, type SandboxListing, type SandboxShop, unitsLeft } from './listing.ts'
import type { SandboxUser } from './market.ts'
import type { SandboxReceipt } from './receipt.ts'

export const page = createPage({
  name: 'Sandbox Etsy',
  banner: 'made-up shops and listings on your own machine',
  accent: '#7a3b12',
})

export function consentPage(users: SandboxUser[], fields: Record<string, string>): string {
  const form = consentForm({
    action: '/oauth/connect',
    field: 'user',
    accounts: users.map(({ userId, name, about }) => ({ value: String(userId), name, about })),
    fields,
    agree: 'Grant access',
    decline: 'Cancel',
  })
  return page(
    'An application would like to connect',
    `<p>It asks for: ${escapeHtml((fields.scope ?? '').split(' ').join(', '))}.</p>\n${form}`,
  )
}

export function refusalPage(reason: string): string {
  return page('An error occurred', `<p role="alert">${escapeHtml(reason)}</p>`)
}

export function homePage(shops: { shop: SandboxShop; listings: SandboxListing[] }[]): string {
  const rows = shops.map(({ shop, listings }) => {
    const active = listings.filter(({ state }) => state === 'active').length
    const link = `<a href="/shop/${encodeURIComponent(shop.shopName)}">${escapeHtml(shop.shopName)}</a>`
    return `<li>${link}: ${active} listings on offer, ${listings.length - active} others</li>`
  })
  return page('Shops', `<ul>${rows.join('\n')}</ul>${faultButtons('Etsy')}`)
}

export function shopPage(shop: SandboxShop, listings: SandboxListing[], receipts: SandboxReceipt[]): string {
  const rows = listings.map(
    (listing) =>
      `<li><a href="/listing/${listing.listingId}">${escapeHtml(listing.title)}</a>, ${priceOf(listing)}, ${listing.state} ${buyForm(listing)}</li>`,
  )
  return page(
    shop.shopName,
    `<p>${escapeHtml(shop.about)}</p>
${postButton(`/shop/${encodeURIComponent(shop.shopName)}/vacation`, shop.isOnVacation ? 'End the vacation' : 'Go on vacation')}
${receiptList(receipts)}<h2>Listings</h2><ul>${rows.join('\n')}</ul>`,
  )
}

function receiptList(receipts: SandboxReceipt[]): string {
  if (receipts.length === 0) return ''
  const rows = receipts.map(
    ({ receiptId, lines, status }) =>
      `<li><a href="/order/${receiptId}">${receiptId}</a>: ${lines.map(({ title }) => escapeHtml(title)).join(', ')}, ${status}</li>`,
  )
  return `<h2>Orders</h2><ul>${rows.reverse().join('\n')}</ul>`
}

/** Returns the button that buys one unit; empty where none is left. */
function buyForm(listing: SandboxListing): string {
  if (listing.state !== 'active' || unitsLeft(listing) < 1) return ''
  return postButton(`/listing/${listing.listingId}/buy`, 'Buy', { label: `Buy ${listing.title}` })
}

/** Returns the buyer’s view of an order. */
export function receiptPage(
  { receiptId, lines, status, currency, divisor, shipments = [] }: SandboxReceipt,
  shop: SandboxShop,
): string {
  const rows = lines.map(
    ({ listingId, title, amount, quantity }) =>
      `<li>${quantity} × <a href="/listing/${listingId}">${escapeHtml(title)}</a>, ${amount / divisor} ${currency}</li>`,
  )
  const seller = `<a href="/shop/${encodeURIComponent(shop.shopName)}">${escapeHtml(shop.shopName)}</a>`
  const next =
    status === 'Canceled'
      ? '<p>Etsy tells the seller’s application at once. The listing stays sold.</p>'
      : `<p>Etsy tells the seller’s application at once, but of a refund it tells nobody.</p>
${postButton(`/order/${receiptId}/cancel`, 'Cancel this order')}
${postButton(`/order/${receiptId}/ship`, 'Mark as shipped')}
${postButton(`/order/${receiptId}/refund`, 'Refund everything')}`
  const parcels = shipments.map(
    ({ carrier, tracking }) => `<p>Shipped with ${escapeHtml(`${carrier} ${tracking}`)}.</p>`,
  )
  return page(
    `Order ${receiptId}`,
    `<p>Bought from ${seller}, ${status}.</p><ul>${rows.join('\n')}</ul>${parcels.join('')}${next}`,
  )
}

export function listingPage(listing: SandboxListing, shop: SandboxShop): string {
  const files = imagesOf(listing).map((image) => ('drawn' in image ? image.drawn : image.id))
  return page(
    listing.title,
    `<p>${priceOf(listing)}, ${listing.state}, ${unitsLeft(listing)} left, by <a href="/shop/${encodeURIComponent(shop.shopName)}">${escapeHtml(shop.shopName)}</a></p>
${buyForm(listing)}
${listing.state === 'active' ? postButton(`/listing/${listing.listingId}/expire`, 'Let it expire') : ''}
<p>${pictureTags(files.length, (number) => `/image/${listing.listingId}/il_fullxfull.${files[number - 1]}.png`)}</p>
<pre>${escapeHtml(listing.description)}</pre>`,
  )
}

function priceOf(listing: SandboxListing): string {
  return `${(listing.products[0]?.amount ?? 0) / listing.divisor} ${listing.currency}`
}
