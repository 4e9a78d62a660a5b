import { escapeXml } from '#server/integrations/ebay/xml.ts'
import { type FakeItem, type FakeSeller, unitsLeft } from './item.ts'
import type { FakeOrder } from './orders.ts'

/** The pages of the sandbox eBay. They work without scripts, by keyboard, and say that they are not eBay. */
export function page(title: string, body: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeXml(title)} · Sandbox eBay</title>
<style>
body{font:17px/1.5 system-ui,sans-serif;margin:0;color:#1c1c1e;background:#f4f2ee}
header{background:#2f4858;color:#fff;padding:.7rem 1rem}
main{max-width:42rem;margin:1.5rem auto;padding:1.5rem;background:#fff;border-radius:10px}
h1{font-size:1.5rem;margin-top:0}
fieldset{border:1px solid #8a8a8a;border-radius:8px;margin:0 0 1.2rem}
label{display:block;padding:.35rem 0}
button{font:inherit;padding:.6rem 1.2rem;border-radius:8px;border:1px solid #2f4858;cursor:pointer}
button[value=agree]{background:#2f4858;color:#fff}
button[value=decline]{background:#fff;color:#2f4858}
form.buy{display:inline}
li form.buy button{padding:.1rem .7rem;margin:.15rem 0}
a{color:#1f4f70}
:focus-visible{outline:3px solid #d9822b;outline-offset:2px}
img{max-width:100%;height:auto;border-radius:8px}
</style>
</head>
<body>
<header>Sandbox eBay: made-up sellers and listings on your own machine</header>
<main>
<h1>${escapeXml(title)}</h1>
${body}
</main>
</body>
</html>`
}

/** Where a seller chooses who they are and consents, or does not. `fields` come back with the form. */
export function consentPage(sellers: FakeSeller[], fields: Record<string, string>): string {
  const hidden = Object.entries(fields).map(
    ([name, value]) => `<input type="hidden" name="${escapeXml(name)}" value="${escapeXml(value)}">`,
  )
  const choices = sellers.map(
    ({ username, about }, index) =>
      `<label><input type="radio" name="seller" value="${escapeXml(username)}"${index === 0 ? ' checked' : ''} required> <b>${escapeXml(username)}</b>: ${escapeXml(about)}</label>`,
  )
  return page(
    'Sign in and grant access',
    `<p>An application asks to read your listings and orders and to act for you.</p>
<form method="post" action="/oauth2/authorize">
${hidden.join('\n')}
<fieldset><legend>Sign in as</legend>
${choices.join('\n')}
</fieldset>
<button name="decision" value="agree">Agree and continue</button>
<button name="decision" value="decline" formnovalidate>Decline</button>
</form>`,
  )
}

export function refusalPage(reason: string, title = 'This cannot be granted'): string {
  return page(title, `<p role="alert">${escapeXml(reason)}</p>`)
}

export function homePage(shops: { seller: FakeSeller; items: FakeItem[] }[]): string {
  const rows = shops.map(({ seller, items }) => {
    const active = items.filter((item) => item.status === 'Active').length
    const link = `<a href="/usr/${encodeURIComponent(seller.username)}">${escapeXml(seller.username)}</a>`
    return `<li>${link}: ${active} listings on offer, ${items.length - active} sold or ended</li>`
  })
  return page('Sellers', `<ul>${rows.join('\n')}</ul><p><a href="/trouble">Make eBay fail</a></p>`)
}

export function shopPage(seller: FakeSeller, items: FakeItem[], orders: FakeOrder[]): string {
  const rows = items.map(
    (item) =>
      `<li><a href="/itm/${item.itemId}">${escapeXml(item.title)}</a>, ${escapeXml(item.price)} ${item.currency}, ${item.status} ${buyForm(item)}</li>`,
  )
  return page(
    seller.username,
    `<p>${escapeXml(seller.about)}</p>${orderList(orders)}<h2>Listings</h2><ul>${rows.join('\n')}</ul>`,
  )
}

function orderList(orders: FakeOrder[]): string {
  if (orders.length === 0) return ''
  const rows = orders.map(
    (order) =>
      `<li><a href="/order/${order.orderId}">${order.orderId}</a>: ${order.lines.map(({ title }) => escapeXml(title)).join(', ')}, ${stateOf(order)}</li>`,
  )
  return `<h2>Orders</h2><ul>${rows.join('\n')}</ul>`
}

const stateOf = (order: FakeOrder) => (order.cancel === 'CANCELED' ? 'cancelled' : order.payment.toLowerCase())

/** Buys one of it; nothing where there is nothing to buy. */
function buyForm(item: FakeItem): string {
  if (item.status !== 'Active' || unitsLeft(item) < 1) return ''
  return `<form class="buy" method="post" action="/itm/${item.itemId}/buy"><button aria-label="Buy ${escapeXml(item.title)}">Buy</button></form>`
}

/** What a buyer sees of an order. */
export function orderPage(order: FakeOrder): string {
  const rows = order.lines.map(
    ({ itemId, title, price, currency, quantity }) =>
      `<li>${quantity} × <a href="/itm/${itemId}">${escapeXml(title)}</a>, ${escapeXml(price)} ${currency}</li>`,
  )
  const seller = `<a href="/usr/${encodeURIComponent(order.seller)}">${escapeXml(order.seller)}</a>`
  const next =
    order.cancel === 'CANCELED'
      ? '<p>It is cancelled. The listing does not come back by that, and eBay pushes nothing: applications find it when they read the orders next.</p>'
      : `<p>eBay tells the seller’s application at once.</p>
<form method="post" action="/order/${order.orderId}/cancel"><button>Cancel this order</button></form>`
  return page(
    `Order ${order.orderId}`,
    `<p>Bought from ${seller}, ${stateOf(order)}.</p><ul>${rows.join('\n')}</ul>${next}`,
  )
}

/** A listing's page. The description is shown as its source: a seller's HTML is not run here either. */
export function itemPage(item: FakeItem, seller: string): string {
  const pictures = Array.from(
    { length: item.pictures },
    (_, index) =>
      `<img src="/images/${item.itemId}/${index + 1}.png" width="200" height="200" alt="Picture ${index + 1}">`,
  )
  return page(
    item.title,
    `<p>${escapeXml(item.price)} ${item.currency}, ${item.status}, by <a href="/usr/${encodeURIComponent(seller)}">${escapeXml(seller)}</a></p>
<p>Item ${item.itemId}, SKU ${escapeXml(item.sku ?? 'none')}, ${item.quantity} offered, ${item.quantitySold} sold</p>
${buyForm(item)}
<p>${pictures.join(' ')}</p>
<pre style="white-space:pre-wrap">${escapeXml(item.description)}</pre>`,
  )
}
