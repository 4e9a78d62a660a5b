import { escapeHtml } from './answers.ts'
import { type FakeListing, type FakeShop, unitsLeft } from './listing.ts'
import type { FakeReceipt } from './receipt.ts'
import type { FakeUser } from './world.ts'

/** The pages of the sandbox Etsy. They work without scripts, by keyboard, and say that they are not Etsy. */
export function page(title: string, body: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)} · Sandbox Etsy</title>
<style>
body{font:17px/1.5 system-ui,sans-serif;margin:0;color:#1c1c1e;background:#f4f2ee}
header{background:#7a3b12;color:#fff;padding:.7rem 1rem}
main{max-width:42rem;margin:1.5rem auto;padding:1.5rem;background:#fff;border-radius:10px}
h1{font-size:1.5rem;margin-top:0}
fieldset{border:1px solid #8a8a8a;border-radius:8px;margin:0 0 1.2rem}
label{display:block;padding:.35rem 0}
button{font:inherit;padding:.6rem 1.2rem;border-radius:8px;border:1px solid #7a3b12;cursor:pointer}
button[value=agree]{background:#7a3b12;color:#fff}
button[value=decline]{background:#fff;color:#7a3b12}
form.buy{display:inline}
li form.buy button{padding:.1rem .7rem;margin:.15rem 0}
a{color:#7a3b12}
:focus-visible{outline:3px solid #1f6f8b;outline-offset:2px}
img{max-width:100%;height:auto;border-radius:8px}
</style>
</head>
<body>
<header>Sandbox Etsy: made-up shops and listings on your own machine</header>
<main>
<h1>${escapeHtml(title)}</h1>
${body}
</main>
</body>
</html>`
}

/** Where a seller chooses who they are and consents, or does not. `fields` come back with the form. */
export function consentPage(users: FakeUser[], fields: Record<string, string>): string {
  const hidden = Object.entries(fields).map(
    ([name, value]) => `<input type="hidden" name="${escapeHtml(name)}" value="${escapeHtml(value)}">`,
  )
  const choices = users.map(
    ({ userId, name, about }, index) =>
      `<label><input type="radio" name="user" value="${userId}"${index === 0 ? ' checked' : ''} required> <b>${escapeHtml(name)}</b>: ${escapeHtml(about)}</label>`,
  )
  return page(
    'An application would like to connect',
    `<p>It asks for: ${escapeHtml((fields.scope ?? '').split(' ').join(', '))}.</p>
<form method="post" action="/oauth/connect">
${hidden.join('\n')}
<fieldset><legend>Sign in as</legend>
${choices.join('\n')}
</fieldset>
<button name="decision" value="agree">Grant access</button>
<button name="decision" value="decline" formnovalidate>Cancel</button>
</form>`,
  )
}

export function refusalPage(reason: string): string {
  return page('An error occurred', `<p role="alert">${escapeHtml(reason)}</p>`)
}

export function homePage(shops: { shop: FakeShop; listings: FakeListing[] }[]): string {
  const rows = shops.map(({ shop, listings }) => {
    const active = listings.filter(({ state }) => state === 'active').length
    const link = `<a href="/shop/${encodeURIComponent(shop.shopName)}">${escapeHtml(shop.shopName)}</a>`
    return `<li>${link}: ${active} listings on offer, ${listings.length - active} others</li>`
  })
  return page('Shops', `<ul>${rows.join('\n')}</ul><p><a href="/trouble">Make Etsy fail</a></p>`)
}

export function shopPage(shop: FakeShop, listings: FakeListing[], receipts: FakeReceipt[]): string {
  const rows = listings.map(
    (listing) =>
      `<li><a href="/listing/${listing.listingId}">${escapeHtml(listing.title)}</a>, ${priceOf(listing)}, ${listing.state} ${buyForm(listing)}</li>`,
  )
  return page(
    shop.shopName,
    `<p>${escapeHtml(shop.about)}</p>${receiptList(receipts)}<h2>Listings</h2><ul>${rows.join('\n')}</ul>`,
  )
}

function receiptList(receipts: FakeReceipt[]): string {
  if (receipts.length === 0) return ''
  const rows = receipts.map(
    ({ receiptId, lines, status }) =>
      `<li><a href="/order/${receiptId}">${receiptId}</a>: ${lines.map(({ title }) => escapeHtml(title)).join(', ')}, ${status}</li>`,
  )
  return `<h2>Orders</h2><ul>${rows.reverse().join('\n')}</ul>`
}

/** Buys one of it; nothing where there is nothing to buy. */
function buyForm(listing: FakeListing): string {
  if (listing.state !== 'active' || unitsLeft(listing) < 1) return ''
  return `<form class="buy" method="post" action="/listing/${listing.listingId}/buy"><button aria-label="Buy ${escapeHtml(listing.title)}">Buy</button></form>`
}

/** What a buyer sees of an order. */
export function receiptPage({ receiptId, lines, status, currency, divisor }: FakeReceipt, shop: FakeShop): string {
  const rows = lines.map(
    ({ listingId, title, amount, quantity }) =>
      `<li>${quantity} × <a href="/listing/${listingId}">${escapeHtml(title)}</a>, ${amount / divisor} ${currency}</li>`,
  )
  const seller = `<a href="/shop/${encodeURIComponent(shop.shopName)}">${escapeHtml(shop.shopName)}</a>`
  const next =
    status === 'Canceled'
      ? '<p>Etsy tells the seller’s application at once. The listing does not come back by that.</p>'
      : `<p>Etsy tells the seller’s application at once.</p>
<form method="post" action="/order/${receiptId}/cancel"><button>Cancel this order</button></form>`
  return page(`Order ${receiptId}`, `<p>Bought from ${seller}, ${status}.</p><ul>${rows.join('\n')}</ul>${next}`)
}

export function listingPage(listing: FakeListing, shop: FakeShop): string {
  const pictures = Array.from(
    { length: listing.pictures },
    (_, index) =>
      `<img src="/image/${listing.listingId}/il_fullxfull.${index + 1}.png" width="200" height="200" alt="Picture ${index + 1}">`,
  )
  return page(
    listing.title,
    `<p>${priceOf(listing)}, ${listing.state}, ${unitsLeft(listing)} left, by <a href="/shop/${encodeURIComponent(shop.shopName)}">${escapeHtml(shop.shopName)}</a></p>
${buyForm(listing)}
<p>${pictures.join(' ')}</p>
<pre style="white-space:pre-wrap">${escapeHtml(listing.description)}</pre>`,
  )
}

function priceOf(listing: FakeListing): string {
  return `${(listing.products[0]?.amount ?? 0) / listing.divisor} ${listing.currency}`
}
