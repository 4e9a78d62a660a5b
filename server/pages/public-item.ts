import type Koa from 'koa'
import { itemUrl } from '#server/catalog/inventory/build-record.ts'
import { findPublicItem } from '#server/catalog/inventory/find-public-item.ts'
import { isOnPlatform } from '#server/catalog/inventory/is-on-platform.ts'
import { isOnOwnHost, isOwnPage } from '#server/catalog/inventory/own-page.ts'
import { readItem } from '#server/catalog/inventory/read-items.ts'
import { notFound } from '#server/infra/errors.ts'
import { Html, html } from '#server/infra/html.ts'
import { dayHtml, moneyHtml, readerLocale } from '#server/pages/format-values.ts'
import { sendPage } from '#server/pages/layout.ts'
import type { Services } from '#server/services.ts'
import type { InventoryItem } from '#shared/contract/catalog/inventory.ts'
import { Id } from '#shared/identity.ts'
import { conditionInWords } from '#shared/item/condition-words.ts'
import type { Availability } from '#shared/item/inventory-record.ts'
import { decimalFromMinor } from '#shared/money.ts'
import { plainText } from '#shared/plain-text.ts'
import { platformOf } from '#shared/platforms.ts'

const ItemId = Id('inv')

const states: Record<Availability | 'unlisted', { words: string; schema: string }> = {
  available: { words: 'Available', schema: 'https://schema.org/InStock' },
  unlisted: { words: 'Not listed right now', schema: 'https://schema.org/OutOfStock' },
  reserved: { words: 'Reserved', schema: 'https://schema.org/LimitedAvailability' },
  sold: { words: 'Sold', schema: 'https://schema.org/SoldOut' },
  withdrawn: { words: 'Not on offer', schema: 'https://schema.org/Discontinued' },
}

/**
 * `/items/{uid}`: the public page of an item: HTML with schema.org data, or the record for clients that ask for JSON. A
 * merged item redirects to its successor.
 */
export function publicItemPage({ db, config }: Services): Koa.Middleware {
  return async (ctx) => {
    ctx.vary('Accept')
    const asJson = ctx.accepts(['html', 'json']) === 'json'
    const uid = ItemId.safeParse(ctx.params.uid)
    const found = uid.success ? await findPublicItem(db, uid.data) : null
    if (!found || !uid.success) {
      if (asJson) throw notFound()
      return sendPage(ctx, { title: 'Not found', status: 404, body: html`<h1>There is no such item here.</h1>` })
    }
    if (found.redirect_uid) {
      ctx.redirect(itemUrl(config.PUBLIC_URL, found.redirect_uid))
      ctx.status = 308
      return
    }
    const item = await readItem(db, config.PUBLIC_URL, { user_id: found.user_id, uid: uid.data })
    if (asJson) {
      ctx.type = 'application/json'
      ctx.set('Cache-Control', 'no-store')
      ctx.body = JSON.stringify(item.record)
      return
    }
    sendPage(ctx, {
      title: item.record.title,
      width: 'wide',
      body: renderItem(item, readerLocale(ctx), config),
    })
  }
}

function renderItem(item: InventoryItem, locale: string, { PUBLIC_URL, sandbox }: Services['config']): Html {
  const { record } = item
  // Browsers trust a link from our page to our page, so none of the seller's may lead there.
  const isElsewhere = (url: string) => !isOnOwnHost(url, PUBLIC_URL)
  const leadsTo = (url: string, platform: string) =>
    isElsewhere(url) && isOnPlatform(url, platform, { allowLoopback: sandbox })
  const onSale = (item.listings ?? []).filter(
    ({ state, url, platform }) => state === 'available' && leadsTo(url, platform),
  )
  const seller = (record.channel_listings ?? []).some(({ channel }) => leadsTo(record.offer.seller_url, channel))
  const { shipping_policy_url, returns_policy_url, seller_url } = record.offer
  const links = [
    ...[
      { url: shipping_policy_url, words: 'Shipping' },
      { url: returns_policy_url, words: 'Returns' },
    ].filter(({ url }) => isElsewhere(url)),
    ...(seller ? [{ url: seller_url, words: 'Seller' }] : []),
  ]
  const images = record.images.filter((url) => !isOwnPage(url, PUBLIC_URL))
  const description = plainText(item.description)
  const offered = record.offer.availability === 'available' && onSale.length > 0
  // Search engines show "in stock" to buyers, so it needs a place to buy the item.
  const state = states[record.offer.availability === 'available' && !offered ? 'unlisted' : record.offer.availability]
  return html`<h1>${record.title}</h1>
<p><strong>${moneyHtml(record.offer, locale)}</strong> · <span class="${offered ? 'good' : 'soft'}">${state.words}</span></p>
<div class="photos">${images.map(
    (url, index) =>
      html`<img src="${url}" alt="${record.title}, picture ${index + 1}" loading="lazy" referrerpolicy="no-referrer">`,
  )}</div>
<h2>Condition</h2>
<p>${conditionInWords(record.condition.label)}${record.condition.notes && html`<br>${record.condition.notes}`}<br>
<span class="soft">Seen on ${dayHtml(record.condition.inspected_at, locale)}</span></p>
${details(item)}
<h2>Description</h2>
<p class="text">${description || 'None.'}</p>
${
  offered &&
  html`<h2>Where to buy it</h2>
<ul>${onSale.map(({ url, platform }) => html`<li><a href="${url}" rel="nofollow noopener">${platformOf(platform).name}</a></li>`)}</ul>`
}
${
  links.length > 0 &&
  html`<p class="soft">${links.map(
    ({ url, words }, index) => html`${index > 0 && ' · '}<a href="${url}" rel="nofollow noopener">${words}</a>`,
  )}</p>`
}
${structuredData(item, description, state.schema)}`
}

function details({ attributes }: InventoryItem): Html | null {
  const rows = [
    ['Brand', attributes.brand],
    ['Size', attributes.size],
    ['Color', attributes.colors?.join(', ')],
    ['Category', attributes.category],
  ].filter((row): row is [string, string] => typeof row[1] === 'string' && row[1] !== '')
  if (rows.length === 0) return null
  return html`<h2>Details</h2>
<table><tbody>${rows.map(([name, value]) => html`<tr><th scope="row">${name}</th><td>${value}</td></tr>`)}</tbody></table>`
}

/** Returns schema.org data for search engines. Only `<` could end a script element, so it is escaped. */
function structuredData({ record, sku, attributes }: InventoryItem, description: string, availability: string): Html {
  const data = {
    '@context': 'https://schema.org',
    '@type': 'Product',
    '@id': record.canonical_url,
    name: record.title,
    description,
    image: record.images,
    productID: record.product_id,
    ...(sku === null ? {} : { sku }),
    ...(attributes.brand ? { brand: { '@type': 'Brand', name: attributes.brand } } : {}),
    offers: {
      '@type': 'Offer',
      url: record.canonical_url,
      price: decimalFromMinor(record.offer.price_minor, record.offer.currency),
      priceCurrency: record.offer.currency,
      availability,
      inventoryLevel: { '@type': 'QuantitativeValue', value: record.offer.quantity },
    },
  }
  const json = JSON.stringify(data).replaceAll('<', '\\u003c')
  return new Html(`<script type="application/ld+json">${json}</script>`)
}
