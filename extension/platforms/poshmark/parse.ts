import { load } from 'cheerio/slim'
import { z } from 'zod'
import type { PageContext } from '../port.ts'
import { at, findObject, isObject, parseJson, textOf } from '../raw.ts'
import { tiles } from './selectors.ts'

/**
 * What Poshmark sends, as it sends it. Only what is read further is named; the rest passes by. Members that a listing
 * cannot do without are judged one by one in normalise.ts, so that a changed one can be named.
 */
export type RawPost = Record<string, unknown> & { id: string }

/** The value when it is a post; null for anything else. Looked at, not copied: a page holds dozens. */
export function rawPost(value: unknown): RawPost | null {
  return isObject(value) && typeof value.id === 'string' && value.id !== '' && value.id.length <= 200
    ? (value as RawPost)
    : null
}

/** One page of posts. `nextMaxId` null: there is no further page. `stuck`: there may be, but not how to get it. */
export interface PostPage {
  posts: unknown[]
  nextMaxId: string | number | null
  stuck: boolean
}

export interface ClosetPage extends PostPage {
  owner: string
}

/** What an answer of the JSON API is: its data, the site's error, or nothing we know (`null`). */
export type Parsed<T> = { data: T } | { error: { status: number; type: string; message: string } } | null

/** The state that a closet page carries; null when it is not there or has another shape. */
export function parseClosetState(html: string): ClosetPage | null {
  const closet = at(findInitialState(html), '$_closet')
  const owner = textOf(at(closet, 'closetUserInfo.data.username'))
  const page = postPage(at(closet, 'listingsPostData'))
  return owner !== undefined && page ? { owner, ...page } : null
}

/** A page of posts from the JSON API; the end of the closet is `more: {}`. */
export function parsePostPage(text: string): Parsed<PostPage> {
  return parseAnswer(text, postPage)
}

/** A single post from the JSON API: `{data: post}` (2020), or the post itself (2025). */
export function parsePostDetail(text: string): Parsed<RawPost> {
  return parseAnswer(text, (body) => rawPost(at(body, 'data')) ?? rawPost(body))
}

/** A listing in the state of its own page, wherever it stands there; null when the page carries none. */
export function parseListingState(html: string, id: string): RawPost | null {
  const found = findObject(findInitialState(html), (object) => object.id === id && 'inventory' in object)
  return rawPost(found)
}

/** Tiles of the page's elements: all that is left when state and API are not understood. */
export function parseTiles(html: string): { id: string; title: string }[] {
  const $ = load(html)
  const found = new Map<string, string>()
  for (const link of $(tiles.link).toArray()) {
    const id = $(link).attr(tiles.idAttribute) ?? ''
    if (!/^[0-9a-f]{24}$/.test(id) || found.has(id)) continue
    // The title stands in the link or beside it, depending on the layout.
    const title = $(link).find(tiles.title).text() || $(link).parent().find(tiles.title).first().text()
    found.set(id, title.trim().slice(0, 200))
  }
  return [...found].map(([id, title]) => ({ id, title }))
}

/** The site's version number, which its API wants to be told; null when the page does not show it. */
export function findVersion(html: string): string | null {
  const from = html.indexOf('pm_version')
  // Most of the time there is none, and a page is long.
  if (from < 0) return null
  return /pm_version\\?["']?\s*[:=]\s*\\?["']?(\d{4}\.\d{1,3}\.\d{1,3})/.exec(html.slice(from))?.[1] ?? null
}

/** Name of the signed-in user from the `ui` cookie; null when nobody is signed in. */
export function parseSignedIn(pageContext: PageContext): string | null {
  const Ui = z.looseObject({ uid: z.string().min(1), dh: z.string().min(1) })
  const ui = Ui.safeParse(parseJson(decodeCookie(pageContext.cookies.ui ?? '')))
  return ui.success ? ui.data.dh : null
}

/** Number of listings in the closet's header ("1,204", "1.2K" is no number); null when it is not shown. */
export function parseCount(pageContext: PageContext): number | null {
  return countIn(pageContext.texts.listings_count ?? '')
}

/** The same number in a closet's page, found by its position; null when the page does not show it. */
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
 * The object assigned to window.__INITIAL_STATE__, found by its position in the text (40 times as fast as a DOM).
 * The page escapes `<`, so the first `</script` ends it; the last `;(function(){` before that ends the JSON, since a
 * listing's text may contain the same characters. Undefined when it is not there or is no JSON.
 */
export function findInitialState(html: string): unknown {
  const start = html.indexOf(stateStart)
  if (start < 0) return undefined
  const scriptEnd = html.indexOf('</script', start)
  const script = html.slice(start + stateStart.length, scriptEnd < 0 ? undefined : scriptEnd)
  const end = script.lastIndexOf(stateEnd)
  return parseJson(end < 0 ? script.trimEnd().replace(/;$/, '') : script.slice(0, end))
}

const stateStart = 'window.__INITIAL_STATE__='
const stateEnd = ';(function(){'

/**
 * `{data: [...], more: {next_max_id?}}`; null for anything else. An empty `more` ends the list; one that holds anything
 * else than where the list goes on is not understood.
 */
function postPage(list: unknown): PostPage | null {
  const posts = at(list, 'data')
  const more = at(list, 'more')
  if (!Array.isArray(posts) || !isObject(more) || Array.isArray(more)) return null
  const next = more.next_max_id ?? null
  if (typeof next === 'string' || typeof next === 'number') return { posts, nextMaxId: next, stuck: false }
  return { posts, nextMaxId: null, stuck: next !== null || Object.values(more).some((value) => value !== null) }
}

/** Errors arrive with HTTP 200 (captured 2026-08): `{error: {errorType?, userMessage?, statusCode?}}`. */
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
