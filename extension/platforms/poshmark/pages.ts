import type { PageRequest, PlatformAddresses, Shop } from '../port.ts'
import { decodeSegment, inPath } from '../raw.ts'
import type { Site } from '../refuse-answer.ts'

export const origin = 'https://poshmark.com'

export const site: Site = { name: 'Poshmark', origins: [origin], login: /^\/(?:login|signup)\b/ }

/** The site's own page size. */
const pageSize = 48

/** API version, used until a page shows the current one. */
const lastSeenVersion = '2026.33.00'

/** The site's names of a closet's lists. Neither has listings that are off sale. */
export const lists = ['available', 'sold_out'] as const
export type ListName = (typeof lists)[number]

/** Returns the shop of a closet page `/closet/{username}`, or null. */
export function findShop(url: string): Shop | null {
  const parsed = URL.parse(url)
  if (parsed?.origin !== origin) return null
  const username = /^\/closet\/([^/]+)\/?$/.exec(parsed.pathname)?.[1]
  return username ? { username: decodeSegment(username), url: closetUrl(decodeSegment(username)) } : null
}

/** Returns the public URL of a closet. */
export function closetUrl(username: string): string {
  return `${origin}/closet/${inPath(username)}`
}

/** Returns the request for a closet page, whose state has a list's first posts. */
export function closetPage(username: string, list: ListName): PageRequest {
  return { url: `${closetUrl(username)}?availability=${list}`, accept: 'html' }
}

/** Returns the request for the posts after `maxId`, as the site's scripts send it. */
export function postsPage(
  username: string,
  list: ListName,
  maxId: string | number | null,
  version: string | null,
): PageRequest {
  const request = {
    filters: { department: 'All', inventory_status: [list] },
    sort_by: 'added_desc',
    experience: 'all',
    count: pageSize,
    ...(maxId === null ? {} : { max_id: maxId }),
  }
  const query = new URLSearchParams({
    request: JSON.stringify(request),
    summarize: 'true',
    app_version: '2.55',
    pm_version: version ?? lastSeenVersion,
  })
  return { url: `${origin}/vm-rest/users/${encodeURIComponent(username)}/posts/filtered?${query}`, accept: 'json' }
}

/** Returns the request for a listing's full JSON. */
export function postDetail(id: string): PageRequest {
  return { url: `${origin}/vm-rest/posts/${encodeURIComponent(id)}`, accept: 'json' }
}

/** Returns the request for a listing's public page. */
export function listingPage(id: string): PageRequest {
  return { url: listingUrl(id, ''), accept: 'html' }
}

/** Returns the URL of a listing. The site accepts any slug, so this one is built from the title. */
export function listingUrl(id: string, title: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: plain ASCII has no marks to remove
  const plain = /^[\x00-\x7f]*$/.test(title) ? title : title.normalize('NFKD').replace(/\p{M}/gu, '')
  const slug = plain
    .replace(/['’]/g, '')
    .replace(/[^A-Za-z0-9]+/g, '-')
    .slice(0, 100)
  const start = slug.startsWith('-') ? 1 : 0
  const words = slug.slice(start, slug.length - (slug.length > start && slug.endsWith('-') ? 1 : 0))
  return `${origin}/listing/${words ? `${words}-` : ''}${inPath(id)}`
}

/** Returns the listing of a page `/listing/{slug-}{id}`, or null. */
export function listingAt(url: string): { id: string } | null {
  const parsed = URL.parse(url)
  if (parsed?.origin !== origin) return null
  const id = /^\/listing\/(?:[^/]*-)?([0-9a-f]{24})\/?$/.exec(parsed.pathname)?.[1]
  return id ? { id } : null
}

export const addresses: PlatformAddresses = {
  slug: 'poshmark',
  origins: [origin],
  shopUrl: closetUrl,
  listingUrl: (id) => listingUrl(id, ''),
  listingAt,
}
