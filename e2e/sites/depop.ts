import type { IncomingMessage } from 'node:http'
import { answerSelling } from './depop-selling.ts'
import {
  buildProduct,
  type DepopShop,
  type Product,
  page,
  pictureHost,
  productJson,
  productPage,
} from './depop-world.ts'
import type { DepopFormOptions } from './forms/depop-form.ts'
import type { FormModel } from './forms/form-kit.ts'
import { type SiteReply, serveSite } from './https-site.ts'
import { pictureAt } from './picture.ts'
import { createTurnstile, type Turnstile } from './turnstile.ts'

export interface DepopOptions {
  /** Products of the signed-in seller, for sale and sold. */
  listings?: { selling: number; sold: number }
}

/** How the site misbehaves; null: not at all. */
export type Mood = 'challenge' | 'slow_down' | 'down' | null

/**
 * A local stand-in for www.depop.com and webapi.depop.com: shops drawn by script from the JSON of the other host, which
 * requires a bearer token, and cookies only if `takesCookies`. Mapped into a browser by `hostRules`.
 */
export interface DepopSite {
  port: number
  /** For Chromium's --host-resolver-rules. */
  hostRules: string[]
  shop: DepopShop
  other: DepopShop
  products: Product[]
  /** False: signed out; the next page clears the cookies. */
  signedIn: boolean
  mood: Mood
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
  /** How the product form is drawn; menus null: as known. */
  form: { menus: DepopFormOptions['menus'] | null; headings: DepopFormOptions['headings']; sign?: string | null }
  /** Products that sellers posted by the form. */
  made: { id: number; slug: string; model: FormModel }[]
  /** True: deleted items stay, as on a slow or failing site. */
  keepsDeleted: boolean
  hits: { me: number; lists: number; products: number; pages: number }
  /** Tokens, which must never reach another server. */
  secrets: string[]
  /** Gate of the JSON for lists and products. */
  reads: Turnstile
  close(): Promise<void>
}

const site = 'www.depop.com'
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
  const world: DepopSite = {
    port: 0,
    hostRules: [],
    shop,
    other,
    products,
    signedIn: true,
    mood: null,
    tokenCookie: 'readable',
    takesCookies: false,
    deprecated: false,
    lost: 0,
    country: 'US',
    summarised: new Set(products.filter((_, n) => n % 5 === 0).map((product) => product.slug)),
    changes: new Map(),
    form: { menus: null, headings: 'lines' },
    made: [],
    keepsDeleted: false,
    hits: { me: 0, lists: 0, products: 0, pages: 0 },
    secrets: [token],
    reads: createTurnstile('lists and products of Depop'),
    close: () => server.close(),
  }
  const server = await serveSite([site, api, pictureHost], async (url, request) => {
    const isRead = /\/products\/(by-|$)/.test(url.pathname) && request.method === 'GET'
    if (url.hostname === api && isRead) await world.reads.pass()
    const selling = await answerSelling(world, url, request)
    const own = selling && { headers: { 'set-cookie': cookies(world) }, ...selling }
    return own ? (url.hostname === api ? withCors(world, own) : own) : answer(world, url, request)
  })
  world.port = server.port
  world.hostRules = [site, api, pictureHost].map((name) => `MAP ${name} 127.0.0.1:${server.port}`)
  return world
}

function answer(world: DepopSite, url: URL, request: IncomingMessage): SiteReply {
  if (url.hostname === pictureHost) return pictureAt(url)
  if (url.hostname === api) return withCors(world, apiAnswer(world, url, request))
  if (world.mood === 'down') return { status: 503, type: 'text/plain', body: 'Service Unavailable' }
  const headers = { 'set-cookie': cookies(world) }
  const slug = /^\/products\/([^/]+)\/$/.exec(url.pathname)?.[1]
  const product = world.products.find((one) => one.slug === slug)
  if (product) {
    world.hits.pages++
    return { headers, body: productPage(product) }
  }
  const name = /^\/([^/]+)\/$/.exec(url.pathname)?.[1]
  const shop = [world.shop, world.other].find((one) => one.username === name)
  if (shop) return { headers, body: shopPage(world, shop) }
  if (url.pathname === '/sellinghub/selling/active/' && world.signedIn)
    return { headers, body: shopPage(world, world.shop) }
  if (url.pathname === '/') return { headers, body: page('Depop', '<h1>Depop</h1>') }
  if (url.pathname === '/login/') return { headers, body: page('Log in', '<h1>Log in</h1>') }
  return { status: 404, headers, body: page('Not found', '<h1>404</h1>') }
}

function apiAnswer(world: DepopSite, url: URL, request: IncomingMessage): SiteReply {
  if (request.method === 'OPTIONS') return { status: 204, body: '' }
  if (world.lost > 0) {
    world.lost--
    request.socket.destroy()
    return { body: '' }
  }
  if (world.mood === 'down') return { status: 503, type: 'text/plain', body: 'Service Unavailable' }
  if (world.mood === 'slow_down') return { status: 429, type: 'text/plain', body: '' }
  if (world.mood === 'challenge') return { status: 403, body: '<html><title>Just a moment...</title></html>' }
  const path = url.pathname.replace('/presentation/api/v1', '')
  if (path === '/users/me/') return whoAmI(world, request)
  const list = /^\/shops\/(\d+)\/products\/(by-status\/sold\/)?$/.exec(path)
  if (list) return listProducts(world, Number(list[1]), Boolean(list[2]), url.searchParams.get('after'))
  const slug = /^\/products\/by-slug\/([^/]+)\/$/.exec(path)?.[1]
  if (slug) return oneProduct(world, slug)
  return { ...json({ message: 'Not found' }), status: 404 }
}

function whoAmI(world: DepopSite, request: IncomingMessage): SiteReply {
  world.hits.me++
  const bearer = request.headers.authorization === `Bearer ${token}`
  const cookie = world.takesCookies && request.headers.cookie?.includes(`access_token=${token}`)
  if (!world.signedIn || !(bearer || cookie)) return { ...json({ message: 'Unauthorized' }), status: 401 }
  return json({ id: world.shop.id, username: world.shop.username, country: world.country })
}

function listProducts(world: DepopSite, shop: number, sold: boolean, after: string | null): SiteReply {
  world.hits.lists++
  if (world.deprecated) return json({ code: 9001, message: 'Deprecated endpoint' })
  const all = world.products.filter((product) => product.shop.id === shop && product.sold === sold)
  const start = after === null ? 0 : Number(Buffer.from(after, 'base64').toString())
  const end = start + pageSize
  const page_info =
    end < all.length ? { has_more: true, last: Buffer.from(String(end)).toString('base64') } : { has_more: false }
  const objects = all.slice(start, end).map((product) => changed(world, product, true))
  return json({ meta: { total_count: all.length }, page_info, objects })
}

function oneProduct(world: DepopSite, slug: string): SiteReply {
  world.hits.products++
  const product = world.products.find((one) => one.slug === slug)
  return product ? json(changed(world, product, false)) : { ...json({ message: 'Product not found' }), status: 404 }
}

function changed(world: DepopSite, product: Product, inList: boolean): object {
  const body = productJson(product, inList && world.summarised.has(product.slug))
  return world.changes.get(product.slug)?.(body) ?? body
}

/** Returns a shop's page, drawn by its own script as on the site. */
function shopPage(world: DepopSite, shop: DepopShop): string {
  world.hits.pages++
  const script = `
    const token = /(?:^|; )access_token=([^;]+)/.exec(document.cookie)?.[1]
    const answer = await fetch('https://${api}/presentation/api/v1/shops/${shop.id}/products/', token ? { headers: { authorization: 'Bearer ' + token } } : {}).catch(() => null)
    const objects = answer?.ok ? ((await answer.json()).objects ?? []) : []
    for (const { slug } of objects) {
      const link = document.createElement('a')
      link.href = '/products/' + slug + '/'
      link.textContent = slug
      document.querySelector('main').append(link)
    }
    document.body.dataset.drawn = 'true'`
  return page(shop.username, `<main><h1>${shop.username}</h1></main><script type="module">${script}</script>`)
}

function cookies(world: DepopSite): string[] {
  const [value, id, age] = world.signedIn ? [token, String(world.shop.id), 3_600] : ['', '', 0]
  const http = world.tokenCookie === 'http_only' ? '; HttpOnly' : ''
  return [
    `access_token=${value}; Domain=.depop.com; Path=/; Secure; Max-Age=${age}${http}`,
    `user_id=${id}; Domain=.depop.com; Path=/; Secure; Max-Age=${age}`,
  ]
}

function withCors(world: DepopSite, reply: SiteReply): SiteReply {
  return {
    ...reply,
    headers: {
      ...reply.headers,
      'access-control-allow-origin': `https://${site}`,
      'access-control-allow-headers': 'authorization, content-type',
      'access-control-allow-methods': 'GET, POST, PUT, DELETE',
      ...(world.takesCookies ? { 'access-control-allow-credentials': 'true' } : {}),
    },
  }
}

function json(body: unknown): SiteReply {
  return { type: 'application/json; charset=utf-8', body: JSON.stringify(body) }
}
