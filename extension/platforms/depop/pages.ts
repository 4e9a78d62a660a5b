import type { PageContext, PageRequest, Shop } from '../port.ts'
import { at, inPath, parseJson, shortText } from '../raw.ts'
import type { Site } from '../refuse-answer.ts'

export const origin = 'https://www.depop.com'

/** Host of the site's own JSON. Paths of it answer an HTML page of errors on www. */
export const api = 'https://webapi.depop.com'

export const site: Site = { name: 'Depop', origins: [origin, api], login: /^\/(?:[a-z]{2}\/)?(?:login|signup)\b/ }

/** What the site calls the two parts of a shop. */
export const lists = ['selling', 'sold'] as const
export type ListName = (typeof lists)[number]

/** Who is signed in: the number that the API goes by, and the name that addresses go by. */
export interface Account {
  id: string
  username: string
  /** Code of the seller's country, which decides in what currency they sell. */
  country?: string
}

/** An account as the site tells it (`{id, username, country?}`, the id a number or its digits); null for anything else. */
export function readAccount(value: unknown): Account | null {
  const [id, username] = [at(value, 'id'), shortText(at(value, 'username'), 200)]
  if (!/^\d{1,20}$/.test(String(id)) || !username) return null
  const country = shortText(at(value, 'country'), 2)
  return { id: String(id), username, ...(country ? { country } : {}) }
}

/** The account among the clues of a page; null when nobody is signed in there. */
export function accountOf(pageContext: PageContext | undefined): Account | null {
  return readAccount(parseJson(pageContext?.texts.account ?? ''))
}

/** A shop's page `/{username}/`, maybe under a language; null for any other address. */
export function shopNameAt(url: string): string | null {
  const parsed = URL.parse(url)
  if (parsed?.origin !== origin) return null
  const name = /^\/(?:[a-z]{2}\/)?([^/]{1,200})\/?$/.exec(parsed.pathname)?.[1]
  return name ? decode(name) : null
}

/**
 * The shop of a page: the one that its address names, in the selling hub that of who is signed in. Null for any other
 * page.
 */
export function findShop(url: string, pageContext?: PageContext): Shop | null {
  const account = accountOf(pageContext)
  const hub = URL.parse(url)?.origin === origin && /^\/(?:[a-z]{2}\/)?sellinghub(\/|$)/.test(new URL(url).pathname)
  const username = hub ? account?.username : shopNameAt(url)
  if (!username) return null
  const own = account?.username.toLowerCase() === username.toLowerCase()
  return { username, url: shopUrl(username), ...(own ? { id: account.id } : {}) }
}

/** Public address of a shop. */
export function shopUrl(username: string): string {
  return `${origin}/${inPath(username)}/`
}

/** Public address of a product: it goes by its slug. */
export function productUrl(slug: string): string {
  return `${origin}/products/${inPath(slug)}/`
}

/** Slug of a product's page `/products/{slug}/`, maybe under a language; null for any other page. */
export function slugAt(url: string): string | null {
  const parsed = URL.parse(url)
  if (parsed?.origin !== origin) return null
  const slug = /^\/(?:[a-z]{2}\/)?products\/([A-Za-z0-9_.]+-[A-Za-z0-9_.-]+)\/?$/.exec(parsed.pathname)?.[1]
  return slug ?? null
}

/** The product of a page, by its address: no page tells its number. */
export function listingAt(url: string): { url: string } | null {
  const slug = slugAt(url)
  return slug ? { url: productUrl(slug) } : null
}

/** Where the seller finds a listing of which only the number is known: no page goes by numbers. */
export const hubUrl = `${origin}/sellinghub/selling/active/`

/** Who is signed in, as the site's own scripts ask. */
export const whoAmI: PageRequest = { url: `${api}/presentation/api/v1/users/me/`, accept: 'json' }

/** A page of a shop's products; `after`: cursor of the page before. */
export function listRequest(shop: string, list: ListName, after: string | null): PageRequest {
  const query = after === null ? '' : `?${new URLSearchParams({ after })}`
  const part = list === 'sold' ? 'by-status/sold/' : ''
  return {
    url: `${api}/presentation/api/v1/shops/${encodeURIComponent(shop)}/products/${part}${query}`,
    accept: 'json',
  }
}

/** The shop as the page that visitors see: what is left when the JSON is not understood. */
export function shopPageRequest(username: string): PageRequest {
  return { url: shopUrl(username), accept: 'html' }
}

/** One product with everything that it shows. */
export function productRequest(slug: string): PageRequest {
  return { url: `${api}/presentation/api/v1/products/by-slug/${encodeURIComponent(slug)}/`, accept: 'json' }
}

/** The product as the page that visitors see. */
export function productPageRequest(slug: string): PageRequest {
  return { url: productUrl(slug), accept: 'html' }
}

function decode(segment: string): string {
  try {
    return decodeURIComponent(segment)
  } catch (error) {
    if (error instanceof URIError) return segment
    throw error
  }
}
