import type { PageContext, PageRequest, PlatformAddresses, Shop } from '../port.ts'
import { at, inPath, parseJson } from '../raw.ts'
import type { Site } from '../refuse-answer.ts'

export const origin = 'https://www.mercari.com'

export const site: Site = { name: 'Mercari', origins: [origin], login: /^\/(?:login|signup|register)\b/ }

/** The site's names of its lists. Both `trading` and `sold_out` hold sold items. */
export const lists = ['on_sale', 'trading', 'sold_out'] as const
export type ListName = (typeof lists)[number]

/** Paths of the seller's own list pages. */
const listPaths: Record<ListName, string> = { on_sale: 'active', trading: 'in_progress', sold_out: 'complete' }

/** Query hash as of 2026-02, used until a page shows the current one. */
const lastSeenHash = 'de32fb1b4a2727c67de3f242224d5647a5db015cd5f075fc4aee10d9c43ecce7'

/** Name of the query for a seller's items. */
export const listQuery = 'userItemsQuery'

/**
 * Returns the shop of a page. `/u/{id}/` contains its seller, and `/mypage/listings/...` belongs to the signed-in seller.
 * Null for other pages.
 */
export function findShop(url: string, pageContext?: PageContext): Shop | null {
  const parsed = URL.parse(url)
  if (parsed?.origin !== origin) return null
  const named = /^\/(?:us\/)?u\/(\d{1,20})\/?$/.exec(parsed.pathname)?.[1]
  const own = /^\/mypage\/listings(\/|$)/.test(parsed.pathname) ? pageContext?.texts.account : undefined
  const id = named ?? (own && /^\d{1,20}$/.test(own) ? own : undefined)
  return id ? { username: id, url: profileUrl(id), id } : null
}

/** The signed-in seller's own list, whose URL contains no id. */
export const ownListsUrl = `${origin}/mypage/listings/active/`

/** Returns the public URL of a seller. */
export function profileUrl(id: string): string {
  return `${origin}/u/${inPath(id)}/`
}

/** Returns the public URL of an item. */
export function listingUrl(id: string): string {
  return `${origin}/us/item/${inPath(id)}/`
}

/** Returns the item of a page `/us/item/{id}/`, or null. */
function listingAt(url: string): { id: string } | null {
  const parsed = URL.parse(url)
  if (parsed?.origin !== origin) return null
  const id = /^\/us\/item\/(m\d{1,20})\/?$/.exec(parsed.pathname)?.[1]
  return id ? { id } : null
}

/** Returns the request for a page of a seller's list, as the site's scripts send it. `hash`: the one that worked last. */
export function listRequest(seller: string, list: ListName, page: number, hash = lastSeenHash): PageRequest {
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
    extensions: JSON.stringify({ persistedQuery: { version: 1, sha256Hash: hash } }),
  })
  return { url: `${origin}/v1/api?${query}`, accept: 'json' }
}

/** Returns the query hash of a request for a list, or null. */
export function hashIn(url: string): string | null {
  const hash = at(parseJson(URL.parse(url)?.searchParams.get('extensions') ?? ''), 'persistedQuery.sha256Hash')
  return typeof hash === 'string' && /^[0-9a-f]{64}$/.test(hash) ? hash : null
}

/** Returns the request for the seller's list page, the fallback for an unknown query. */
export function listPageRequest(list: ListName, page: number): PageRequest {
  return {
    url: `${origin}/mypage/listings/${listPaths[list]}/${page === 1 ? '' : `?page=${page}`}`,
    accept: 'html',
  }
}

/** Returns the request for an item's page. */
export function itemRequest(id: string): PageRequest {
  return { url: listingUrl(id), accept: 'html' }
}

export const addresses: PlatformAddresses = {
  slug: 'mercari',
  origins: [origin],
  shopUrl: () => ownListsUrl,
  listingUrl,
  listingAt,
}
