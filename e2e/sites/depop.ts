import type { IncomingMessage } from 'node:http'
import {
  buildProduct,
  type DepopShop,
  type Product,
  page,
  pictureHost,
  productJson,
  productPage,
} from './depop-data.ts'
import { answerSelling } from './depop-selling.ts'
import type { DepopFormOptions } from './forms/depop-form.ts'
import type { FormModel } from './forms/form-kit.ts'
import { type SiteReply, serveSite } from './https-site.ts'
import { pictureAt } from './picture.ts'
import { createRequestGate, type RequestGate } from './request-gate.ts'

interface DepopOptions {
  /** Products of the signed-in seller, for sale and sold. */
  listings?: { selling: number; sold: number }
}

/** How the site misbehaves; null: not at all. */
type SiteFault = 'challenge' | 'slow_down' | 'down' | null

/**
 * A local stand-in for www.depop.com and webapi.depop.com: shops drawn by script from the JSON of the other host, which
 * requires a bearer token, and cookies only if `takesCookies`. Its hosts are mapped into every test browser.
 */
export interface DepopSite {
  shop: DepopShop
  other: DepopShop
  products: Product[]
  /** False: signed out; the next page clears the cookies. */
  signedIn: boolean
  fault: SiteFault
  /** Whether scripts can read the token's cookie: sources disagree about the real site. */
  tokenCookie: 'readable' | 'http_only'
  takesCookies: boolean
  /** True: the shops' endpoint is gone. */
  deprecated: boolean
  /** Number of following JSON requests that get no response. */
  lost: number
  /** Slugs of products whose list entry has the first picture only. */
  summarised: Set<string>
  /** Changes to the JSON, by slug. */
  changes: Map<string, (json: Record<string, unknown>) => object>
  /** The signed-in seller's country; null: the site does not say. */
  country: string | null
  /** How the product form is drawn. */
  form: { headings: DepopFormOptions['headings']; sign?: string | null }
  /** Products that sellers posted by the form. */
  made: { id: number; slug: string; model: FormModel }[]
  /** True: deleted items stay, as on a slow or failing site. */
  keepsDeleted: boolean
  /** Changes the page that ends a listing, as a release of the site does. */
  changesEdit: (html: string) => string
  hits: { me: number; lists: number; products: number; pages: number }
  /** Tokens, which must never reach another server. */
  secrets: string[]
  /** Gate of the JSON for lists and products. */
  reads: RequestGate
  close(): Promise<void>
}

const host = 'www.depop.com'
const api = 'webapi.depop.com'
const pageSize = 24
const token = 'made-up-access-token-41d7'

export async function startDepop(options: DepopOptions = {}): Promise<DepopSite> {
  const shop: DepopShop = { id: 7_654_321, username: 'sample_shop' }
  const other: DepopShop = { id: 1_234_567, username: 'othershop' }
  const { selling, sold } = options.listings ?? { selling: 60, sold: 30 }
  const products = [
    ...Array.from({ length: selling + sold }, (_, n) => buildProduct(shop, n, { sold: n >= selling })),
    ...Array.from({ length: 3 }, (_, n) => buildProduct(other, n)),
  ]
  const site: DepopSite = {
    shop,
    other,
    products,
    signedIn: true,
    fault: null,
    tokenCookie: 'readable',
    takesCookies: false,
    deprecated: false,
    lost: 0,
    country: 'US',
    summarised: new Set(products.filter((_, n) => n % 5 === 0).map((product) => product.slug)),
    changes: new Map(),
    form: { headings: 'lines' },
    made: [],
    keepsDeleted: false,
    changesEdit: (html) => html,
    hits: { me: 0, lists: 0, products: 0, pages: 0 },
    secrets: [token],
    reads: createRequestGate('lists and products of Depop'),
    close: () => close(),
  }
  const close = await serveSite([host, api, pictureHost], async (url, request) => {
    const isRead = /\/products\/(by-|$)/.test(url.pathname) && request.method === 'GET'
    if (url.hostname === api && isRead) await site.reads.pass()
    const selling = await answerSelling(site, url, request)
    const own = selling && { headers: { 'set-cookie': cookies(site) }, ...selling }
    return own ? (url.hostname === api ? withCors(site, own) : own) : answer(site, url, request)
  })
  return site
}

function answer(site: DepopSite, url: URL, request: IncomingMessage): SiteReply | Promise<SiteReply> {
  if (url.hostname === pictureHost) return pictureAt(url)
  if (url.hostname === api) return withCors(site, apiAnswer(site, url, request))
  if (site.fault === 'down') return { status: 503, type: 'text/plain', body: 'Service Unavailable' }
  const headers = { 'set-cookie': cookies(site) }
  const slug = /^\/products\/([^/]+)\/$/.exec(url.pathname)?.[1]
  const product = site.products.find((one) => one.slug === slug)
  if (product) {
    site.hits.pages++
    return { headers, body: productPage(product) }
  }
  const name = /^\/([^/]+)\/$/.exec(url.pathname)?.[1]
  const shop = [site.shop, site.other].find((one) => one.username === name)
  if (shop) return { headers, body: shopPage(site, shop) }
  if (url.pathname === '/sellinghub/selling/active/' && site.signedIn)
    return { headers, body: shopPage(site, site.shop, true) }
  if (url.pathname === '/') return { headers, body: page('Depop', '<h1>Depop</h1>') }
  if (url.pathname === '/login/') return { headers, body: page('Log in', '<h1>Log in</h1>') }
  return { status: 404, headers, body: page('Not found', '<h1>404</h1>') }
}

function apiAnswer(site: DepopSite, url: URL, request: IncomingMessage): SiteReply {
  if (request.method === 'OPTIONS') return { status: 204, body: '' }
  if (site.lost > 0) {
    site.lost--
    request.socket.destroy()
    return { body: '' }
  }
  if (site.fault === 'down') return { status: 503, type: 'text/plain', body: 'Service Unavailable' }
  if (site.fault === 'slow_down') return { status: 429, type: 'text/plain', body: '' }
  if (site.fault === 'challenge') return { status: 403, body: '<html><title>Just a moment...</title></html>' }
  const path = url.pathname.replace('/presentation/api/v1', '')
  if (path === '/users/me/') return whoAmI(site, request)
  const list = /^\/shops\/(\d+)\/products\/(by-status\/sold\/)?$/.exec(path)
  if (list) return listProducts(site, Number(list[1]), Boolean(list[2]), url.searchParams.get('after'))
  const slug = /^\/products\/by-slug\/([^/]+)\/$/.exec(path)?.[1]
  if (slug) return oneProduct(site, slug)
  return { ...json({ message: 'Not found' }), status: 404 }
}

function whoAmI(site: DepopSite, request: IncomingMessage): SiteReply {
  site.hits.me++
  const bearer = request.headers.authorization === `Bearer ${token}`
  const cookie = site.takesCookies && request.headers.cookie?.includes(`access_token=${token}`)
  if (!site.signedIn || !(bearer || cookie)) return { ...json({ message: 'Unauthorized' }), status: 401 }
  return json({ id: site.shop.id, username: site.shop.username, country: site.country })
}

function listProducts(site: DepopSite, shop: number, sold: boolean, after: string | null): SiteReply {
  site.hits.lists++
  if (site.deprecated) return json({ code: 9001, message: 'Deprecated endpoint' })
  const all = site.products.filter((product) => product.shop.id === shop && product.sold === sold)
  const start = after === null ? 0 : Number(Buffer.from(after, 'base64').toString())
  const end = start + pageSize
  const page_info =
    end < all.length ? { has_more: true, last: Buffer.from(String(end)).toString('base64') } : { has_more: false }
  const objects = all.slice(start, end).map((product) => changed(site, product, true))
  return json({ meta: { total_count: all.length }, page_info, objects })
}

function oneProduct(site: DepopSite, slug: string): SiteReply {
  site.hits.products++
  const product = site.products.find((one) => one.slug === slug)
  return product ? json(changed(site, product, false)) : { ...json({ message: 'Product not found' }), status: 404 }
}

function changed(site: DepopSite, product: Product, inList: boolean): object {
  const body = productJson(product, inList && site.summarised.has(product.slug))
  return site.changes.get(product.slug)?.(body) ?? body
}

/** Returns a shop's page, drawn by its own script as on the site, or its list in the selling hub with a menu for each row. */
function shopPage(site: DepopSite, shop: DepopShop, isHub = false): string {
  site.hits.pages++
  const script = `
    const token = /(?:^|; )access_token=([^;]+)/.exec(document.cookie)?.[1]
    const answer = await fetch('https://${api}/presentation/api/v1/shops/${shop.id}/products/', token ? { headers: { authorization: 'Bearer ' + token } } : {}).catch(() => null)
    const objects = answer?.ok ? ((await answer.json()).objects ?? []) : []
    for (const { slug, description } of objects) {
      const row = document.createElement('li')
      row.innerHTML = '<a></a>${isHub ? '<button aria-label="Manage listings">Manage</button>' : ''}'
      row.firstChild.href = '/products/' + slug + '/${isHub ? 'manage/' : ''}'
      row.firstChild.textContent = ${isHub ? "description.split('\\n')[0]" : 'slug'}
      document.querySelector('main').append(row)
    }
    document.body.dataset.drawn = 'true'`
  return page(shop.username, `<main><h1>${shop.username}</h1></main><script type="module">${script}</script>`)
}

function cookies(site: DepopSite): string[] {
  const [value, id, age] = site.signedIn ? [token, String(site.shop.id), 3_600] : ['', '', 0]
  const http = site.tokenCookie === 'http_only' ? '; HttpOnly' : ''
  return [
    `access_token=${value}; Domain=.depop.com; Path=/; Secure; Max-Age=${age}${http}`,
    `user_id=${id}; Domain=.depop.com; Path=/; Secure; Max-Age=${age}`,
  ]
}

function withCors(site: DepopSite, reply: SiteReply): SiteReply {
  return {
    ...reply,
    headers: {
      ...reply.headers,
      'access-control-allow-origin': `https://${host}`,
      'access-control-allow-headers': 'authorization, content-type',
      'access-control-allow-methods': 'GET, POST, PUT, DELETE',
      ...(site.takesCookies ? { 'access-control-allow-credentials': 'true' } : {}),
    },
  }
}

function json(body: unknown): SiteReply {
  return { type: 'application/json; charset=utf-8', body: JSON.stringify(body) }
}
