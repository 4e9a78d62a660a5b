import type { PageContext, PageRequest, Shop } from '../port.ts'
import { inPath } from '../raw.ts'
import type { Site } from '../refuse-answer.ts'

export const origin = 'https://www.mercari.com'

export const site: Site = { name: 'Mercari', origins: [origin], login: /^\/(?:login|signup|register)\b/ }

/** The site's words for what its lists hold; `trading` and `sold_out` are both sold (platforms, section 5). */
export const lists = ['on_sale', 'trading', 'sold_out'] as const
export type ListName = (typeof lists)[number]

/** Where the seller's own pages show each list. */
const listPaths: Record<ListName, string> = { on_sale: 'active', trading: 'in_progress', sold_out: 'complete' }

/** Hash of the site's own query for a seller's items, as last seen (2026-02); the page's own is used when it shows. */
const lastSeenHash = 'de32fb1b4a2727c67de3f242224d5647a5db015cd5f075fc4aee10d9c43ecce7'

/** Name of that query. */
export const listQuery = 'userItemsQuery'

/**
 * The shop of a page: `/u/{number}/` names its seller, `/mypage/listings/...` is always that of who is signed in. Null
 * for any other page.
 */
export function findShop(url: string, pageContext?: PageContext): Shop | null {
  const parsed = URL.parse(url)
  if (parsed?.origin !== origin) return null
  const named = /^\/(?:us\/)?u\/(\d{1,20})\/?$/.exec(parsed.pathname)?.[1]
  const own = /^\/mypage\/listings(\/|$)/.test(parsed.pathname) ? pageContext?.texts.account : undefined
  const id = named ?? (own && /^\d{1,20}$/.test(own) ? own : undefined)
  return id ? { username: id, url: profileUrl(id), id } : null
}

/** Where the seller sees what they sell, whoever they are: the shop's page to go to. */
export const ownListsUrl = `${origin}/mypage/listings/active/`

/** Public address of a seller. */
export function profileUrl(id: string): string {
  return `${origin}/u/${inPath(id)}/`
}

/** Public address of an item. */
export function listingUrl(id: string): string {
  return `${origin}/us/item/${inPath(id)}/`
}

/** The item of a page `/us/item/{id}/`; null for any other page. */
export function listingAt(url: string): { id: string } | null {
  const parsed = URL.parse(url)
  if (parsed?.origin !== origin) return null
  const id = /^\/us\/item\/(m\d{1,20})\/?$/.exec(parsed.pathname)?.[1]
  return id ? { id } : null
}

/** A page of one of the seller's lists, as the site's own scripts ask for it. */
export function listRequest(seller: string, list: ListName, page: number): PageRequest {
  const variables = {
    userItemsInput: {
      sellerId: Number(seller),
      status: list,
      keyword: '',
      sortBy: 'created',
      sortType: 'desc',
      page,
      includeTotalCount: true,
    },
  }
  const query = new URLSearchParams({
    operationName: listQuery,
    variables: JSON.stringify(variables),
    extensions: JSON.stringify({ persistedQuery: { version: 1, sha256Hash: lastSeenHash } }),
  })
  return { url: `${origin}/v1/api?${query}`, accept: 'json' }
}

/** The same list as the page that the seller sees: what is left when the query is not understood. */
export function listPageRequest(list: ListName, page: number): PageRequest {
  return {
    url: `${origin}/mypage/listings/${listPaths[list]}/${page === 1 ? '' : `?page=${page}`}`,
    accept: 'html',
  }
}

/** One item with everything that it shows. */
export function itemRequest(id: string): PageRequest {
  return { url: listingUrl(id), accept: 'html' }
}
