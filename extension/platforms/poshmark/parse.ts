import { load } from 'cheerio/slim'
import { z } from 'zod'
import type { PageContext } from '../port.ts'
import { at, countOf, findObject, isObject, parseJson, textOf } from '../raw.ts'
import { tiles } from './selectors.ts'

/**
 * A post as Poshmark sends it. normalise.ts checks the required members one by one, so that an error names the changed
 * field.
 */
export type RawPost = Record<string, unknown> & { id: string }

/** Returns the value if it is a post, or null. Does not copy it. */
export function rawPost(value: unknown): RawPost | null {
  return isObject(value) && typeof value.id === 'string' && value.id !== '' && value.id.length <= 200
    ? (value as RawPost)
    : null
}

/**
 * A page of posts. `nextMaxId` null: last page. `stuck`: more pages exist, but the cursor is missing. `total`: the length
 * of the whole list, where it alone tells whether pages follow; null otherwise.
 */
export interface PostPage {
  posts: unknown[]
  nextMaxId: string | number | null
  stuck: boolean
  total: number | null
}

export interface ClosetPage extends PostPage {
  owner: string
}

/** An API answer: data, an error, or null for an unknown format. */
export type Parsed<T> = { data: T } | { error: { status: number; type: string; message: string } } | null

/** Parses the state of a closet page, or returns null. */
export function parseClosetState(html: string): ClosetPage | null {
  const closet = at(findInitialState(html), '$_closet')
  const owner = textOf(at(closet, 'closetUserInfo.data.username'))
  const page = postPage(at(closet, 'listingsPostData'))
  return owner !== undefined && page ? { owner, ...page } : null
}

/** Parses a page of posts from the API. */
export function parsePostPage(text: string): Parsed<PostPage> {
  return parseAnswer(text, postPage)
}

/** Parses a single post from the API: `{data: post}` (2020) or the post itself (2025). */
export function parsePostDetail(text: string): Parsed<RawPost> {
  return parseAnswer(text, (body) => rawPost(at(body, 'data')) ?? rawPost(body))
}

/** Finds a listing in the state of its own page, or returns null. */
export function parseListingState(html: string, id: string): RawPost | null {
  const found = findObject(findInitialState(html), (object) => object.id === id && 'inventory' in object)
  return rawPost(found)
}

/** Reads the tiles of a closet page, the fallback for unreadable state and API. */
export function parseTiles(html: string): { id: string; title: string }[] {
  const $ = load(html)
  const found = new Map<string, string>()
  for (const link of $(tiles.link).toArray()) {
    const id = $(link).attr(tiles.idAttribute) ?? ''
    if (!/^[0-9a-f]{24}$/.test(id) || found.has(id)) continue
    // The title is in the link or beside it, depending on the layout.
    const title = $(link).find(tiles.title).text() || $(link).parent().find(tiles.title).first().text()
    found.set(id, title.trim().slice(0, 200))
  }
  return [...found].map(([id, title]) => ({ id, title }))
}

/** Returns the site's version number for its API, or null. */
export function findVersion(html: string): string | null {
  const from = html.indexOf('pm_version')
  // Skip the regular expression on long pages without a version.
  if (from < 0) return null
  return /pm_version\\?["']?\s*[:=]\s*\\?["']?(\d{4}\.\d{1,3}\.\d{1,3})/.exec(html.slice(from))?.[1] ?? null
}

/** Returns the signed-in username from the `ui` cookie, or null. */
export function parseSignedIn(pageContext: PageContext): string | null {
  const Ui = z.looseObject({ uid: z.string().min(1), dh: z.string().min(1) })
  const ui = Ui.safeParse(parseJson(decodeCookie(pageContext.cookies.ui ?? '')))
  return ui.success ? ui.data.dh : null
}

/** Returns the count in the closet's header, or null. Accepts "1,204" but not "1.2K". */
export function parseCount(pageContext: PageContext): number | null {
  return countIn(pageContext.texts.listings_count ?? '')
}

/** Returns the same count from a closet page by a string search, or null. */
export function findCount(html: string): number | null {
  const named = html.indexOf(countMark)
  const open = named < 0 ? -1 : html.indexOf('>', named)
  return open < 0 || open - named > 500 ? null : countIn(html.slice(open + 1, open + 100).replace('<', ' '))
}

const countMark = 'data-test="closet_listings_count"'

function countIn(text: string): number | null {
  const digits = /^\s*([\d,]{1,12})(\s|$)/.exec(text)?.[1]
  return digits ? Number(digits.replaceAll(',', '')) : null
}

/**
 * Parses the object assigned to window.__INITIAL_STATE__. String search is twelve times as fast as a DOM
 * (`e2e/lab/bench/parse.bench.ts`). The page escapes `<`, so the first `</script` ends the script. The last
 * `;(function(){` before it ends the JSON, because a listing's text may contain the same characters. Returns undefined if
 * it is missing or invalid.
 */
function findInitialState(html: string): unknown {
  const name = html.indexOf(stateName)
  const start = name < 0 ? 0 : html.indexOf('=', name) + 1
  if (start === 0) return undefined
  const scriptEnd = html.indexOf('</script', start)
  const script = html.slice(start, scriptEnd < 0 ? undefined : scriptEnd)
  const end = script.lastIndexOf(stateEnd)
  return parseJson(end < 0 ? script.trimEnd().replace(/;$/, '') : script.slice(0, end))
}

const stateName = 'window.__INITIAL_STATE__'
const stateEnd = ';(function(){'

/**
 * Parses `{data: [...], more: {next_max_id?, is_next_max_id_present?, total?}}`, or returns null. Where `more` has the
 * flag, it decides. Older pages have only the cursor: `more: {}` or a cursor of null ends the list. A `more` with a total
 * and nothing else ends it where the total is reached. Any other form is unreadable.
 */
function postPage(list: unknown): PostPage | null {
  const posts = at(list, 'data')
  const more = at(list, 'more')
  if (!Array.isArray(posts) || !isObject(more) || Array.isArray(more)) return null
  const { next_max_id, is_next_max_id_present: flag } = more
  const cursor = typeof next_max_id === 'number' || (typeof next_max_id === 'string' && next_max_id !== '')
  const page = { posts, nextMaxId: null, stuck: false, total: null }
  if (flag === false) return page
  if (cursor) return { ...page, nextMaxId: next_max_id as string | number }
  if (flag !== undefined && flag !== null) return { ...page, stuck: true }
  if (next_max_id === null || next_max_id === '' || Object.values(more).every((value) => value === null)) return page
  const total = next_max_id === undefined ? (countOf(more.total) ?? null) : null
  return { ...page, stuck: total === null, total }
}

/** Parses an answer. Errors come with HTTP 200: `{error: {errorType?, userMessage?, statusCode?}}`. */
function parseAnswer<T>(text: string, read: (body: unknown) => T | null): Parsed<T> {
  const body = parseJson(text)
  const error = at(body, 'error')
  if (isObject(error) && !Array.isArray(error)) {
    const { statusCode, errorType, userMessage } = error
    const status = typeof statusCode === 'number' ? statusCode : 0
    return { error: { status, type: textOf(errorType) ?? '', message: textOf(userMessage) ?? '' } }
  }
  const data = read(body)
  return data === null ? null : { data }
}

function decodeCookie(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch (error) {
    if (error instanceof URIError) return ''
    throw error
  }
}
