import type { PageContext, PageRequest, PlatformAddresses, Shop } from '../port.ts'
import { at, decodeSegment, inPath, parseJson, shortText } from '../raw.ts'
import type { Site } from '../refuse-answer.ts'

export const origin = 'https://www.depop.com'

/** Host of the site's JSON API. The same paths on www return an HTML error page. */
export const api = 'https://webapi.depop.com'

export const site: Site = { name: 'Depop', origins: [origin, api], login: /^\/(?:[a-z]{2}\/)?(?:login|signup)\b/ }

/** The site's names of a shop's two lists. */
export const lists = ['selling', 'sold'] as const
export type ListName = (typeof lists)[number]

/** The signed-in account: the API's id, and the username in URLs. */
export interface Account {
  id: string
  username: string
  /** Country code, which decides the selling currency. */
  country?: string
}

/** Parses an account `{id, username, country?}`, whose id is a number or its digits. Returns null for other values. */
export function readAccount(value: unknown): Account | null {
  const [id, username] = [at(value, 'id'), shortText(at(value, 'username'), 200)]
  if (!/^\d{1,20}$/.test(String(id)) || !username) return null
  const country = shortText(at(value, 'country'), 2)
  return { id: String(id), username, ...(country ? { country } : {}) }
}

/** Returns the account in the page context, or null if nobody is signed in. */
export function accountOf(pageContext: PageContext | undefined): Account | null {
  return readAccount(parseJson(pageContext?.texts.account ?? ''))
}

/** Returns the username of a shop page `/{username}/`, with or without a language prefix, or null. */
export function shopNameAt(url: string): string | null {
  const parsed = URL.parse(url)
  if (parsed?.origin !== origin) return null
  const name = /^\/(?:[a-z]{2}\/)?([^/]{1,200})\/?$/.exec(parsed.pathname)?.[1]
  return name ? decodeSegment(name) : null
}

/** Returns the shop in the URL, or the signed-in seller's shop in the selling hub. Null for other pages. */
export function findShop(url: string, pageContext?: PageContext): Shop | null {
  const account = accountOf(pageContext)
  const hub = URL.parse(url)?.origin === origin && /^\/(?:[a-z]{2}\/)?sellinghub(\/|$)/.test(new URL(url).pathname)
  const username = hub ? account?.username : shopNameAt(url)
  if (!username) return null
  const own = account?.username.toLowerCase() === username.toLowerCase()
  return { username, url: shopUrl(username), ...(own ? { id: account.id } : {}) }
}

/** Returns the public URL of a shop. */
export function shopUrl(username: string): string {
  return `${origin}/${inPath(username)}/`
}

/** Returns the public URL of a product, by its slug. */
export function productUrl(slug: string): string {
  return `${origin}/products/${inPath(slug)}/`
}

/** Returns the slug of a product page `/products/{slug}/`, with or without a language prefix, or null. */
export function slugAt(url: string): string | null {
  const parsed = URL.parse(url)
  if (parsed?.origin !== origin) return null
  const slug = /^\/(?:[a-z]{2}\/)?products\/([A-Za-z0-9_.]+-[A-Za-z0-9_.-]+)\/?$/.exec(parsed.pathname)?.[1]
  return slug ?? null
}

/** Returns the product's URL, because no page contains its id. */
function listingAt(url: string): { url: string } | null {
  const slug = slugAt(url)
  return slug ? { url: productUrl(slug) } : null
}

/** The seller's listing page, used when only a listing's id is known. */
const hubUrl = `${origin}/sellinghub/selling/active/`

/** The site's own request for the signed-in account. */
export const whoAmI: PageRequest = { url: `${api}/presentation/api/v1/users/me/`, accept: 'json' }

/** Returns the request for a page of a shop's products. `after`: the previous page's cursor. */
export function listRequest(shop: string, list: ListName, after: string | null): PageRequest {
  const query = after === null ? '' : `?${new URLSearchParams({ after })}`
  const part = list === 'sold' ? 'by-status/sold/' : ''
  return {
    url: `${api}/presentation/api/v1/shops/${encodeURIComponent(shop)}/products/${part}${query}`,
    accept: 'json',
  }
}

/** Returns the request for the public shop page, the fallback for unreadable JSON. */
export function shopPageRequest(username: string): PageRequest {
  return { url: shopUrl(username), accept: 'html' }
}

/** Returns the request for a product's full JSON. */
export function productRequest(slug: string): PageRequest {
  return { url: `${api}/presentation/api/v1/products/by-slug/${encodeURIComponent(slug)}/`, accept: 'json' }
}

/** Returns the request for a product as its seller reads it. */
export function ownProductRequest(slug: string): PageRequest {
  return { url: `${productRequest(slug).url}edit-listing/`, accept: 'json' }
}

/** Returns the request for a product's public page. */
export function productPageRequest(slug: string): PageRequest {
  return { url: productUrl(slug), accept: 'html' }
}

export const addresses: PlatformAddresses = {
  slug: 'depop',
  origins: [origin],
  shopUrl,
  // Product URLs need a slug, so link to the seller's list.
  listingUrl: () => hubUrl,
  listingAt,
}
