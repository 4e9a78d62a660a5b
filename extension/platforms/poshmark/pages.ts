import type { PageRequest, Shop } from '../port.ts'
import { inPath } from '../raw.ts'

export const origin = 'https://poshmark.com'

/** Page size that the site itself asks for. */
const pageSize = 48

/** Version that the site's own scripts send; used when a page does not show the current one. */
const lastSeenVersion = '2026.33.00'

/** The site's words for what a closet holds; what is on no sale is in neither. */
export const lists = ['available', 'sold_out'] as const
export type ListName = (typeof lists)[number]

/** Shop of a closet page `/closet/{username}`; null for any other page. */
export function findShop(url: string): Shop | null {
  const parsed = URL.parse(url)
  if (parsed?.origin !== origin) return null
  const username = /^\/closet\/([^/]+)\/?$/.exec(parsed.pathname)?.[1]
  return username ? { username: decode(username), url: closetUrl(decode(username)) } : null
}

/** Public address of a closet. */
export function closetUrl(username: string): string {
  return `${origin}/closet/${inPath(username)}`
}

/** The closet as a page, with the first listings of a list in its state. */
export function closetPage(username: string, list: ListName): PageRequest {
  return { url: `${closetUrl(username)}?availability=${list}`, accept: 'html' }
}

/** The page of a list after `maxId` as the site's own scripts ask for it. */
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

/** One listing with everything that its owner sees. */
export function postDetail(id: string): PageRequest {
  return { url: `${origin}/vm-rest/posts/${encodeURIComponent(id)}`, accept: 'json' }
}

/** The same listing as the page that visitors see. */
export function listingPage(id: string): PageRequest {
  return { url: listingUrl(id, ''), accept: 'html' }
}

/** Address of a listing: the site shows it under any slug, ours is the title's like its own. */
export function listingUrl(id: string, title: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: plain ASCII has no marks to take off
  const plain = /^[\x00-\x7f]*$/.test(title) ? title : title.normalize('NFKD').replace(/\p{M}/gu, '')
  const slug = plain
    .replace(/['’]/g, '')
    .replace(/[^A-Za-z0-9]+/g, '-')
    .slice(0, 100)
  const start = slug.startsWith('-') ? 1 : 0
  const words = slug.slice(start, slug.length - (slug.length > start && slug.endsWith('-') ? 1 : 0))
  return `${origin}/listing/${words ? `${words}-` : ''}${inPath(id)}`
}

/** The listing of a page `/listing/{any-slug-}{id}`; null for any other page. */
export function listingAt(url: string): { id: string } | null {
  const parsed = URL.parse(url)
  if (parsed?.origin !== origin) return null
  const id = /^\/listing\/(?:[^/]*-)?([0-9a-f]{24})\/?$/.exec(parsed.pathname)?.[1]
  return id ? { id } : null
}

function decode(segment: string): string {
  try {
    return decodeURIComponent(segment)
  } catch (error) {
    if (error instanceof URIError) return segment
    throw error
  }
}
