import { type CheerioAPI, load } from 'cheerio/slim'
import { z } from 'zod'
import { minorFromDecimal } from '#shared/money.ts'
import { at, findList, findObject, findScriptJson, isObject, parseJson } from '../raw.ts'
import * as selectors from './selectors.ts'

/**
 * What Mercari sends, as it sends it. Only what is read further is named; members that a listing cannot do without are
 * judged one by one in normalise.ts, so that a changed one can be named.
 */
export type RawItem = Record<string, unknown> & { id: string }

/** The value when it is an item; null for anything else. */
export function rawItem(value: unknown): RawItem | null {
  return isObject(value) && typeof value.id === 'string' && /^m\d{1,20}$/.test(value.id) ? (value as RawItem) : null
}

const GraphErrors = z.looseObject({
  errors: z
    .array(z.looseObject({ message: z.string().nullish(), extensions: z.looseObject({ code: z.unknown() }).nullish() }))
    .min(1),
})

/** A page of one of the seller's lists. `more` null: the answer does not say whether there is a further page. */
export interface ListPage {
  items: unknown[]
  more: boolean | null
  total: number | null
}

/** What the API answered: a page, its error (`code` in upper case, such as PERSISTED_QUERY_NOT_FOUND), or neither. */
export type ParsedList = { page: ListPage } | { error: { code: string; message: string } } | null

/** An answer to the site's own query for a seller's items. Errors come with HTTP 200. */
export function parseList(text: string): ParsedList {
  const body = parseJson(text)
  const failed = GraphErrors.safeParse(body)
  if (failed.success) {
    const { message, extensions } = failed.data.errors[0]!
    return { error: { code: errorCode(message ?? '', String(extensions?.code ?? '')), message: message ?? '' } }
  }
  const userItems = at(body, 'data.userItems')
  const listed = at(userItems, 'items')
  // Looked for elsewhere in the answer when it is not where it was.
  const items = Array.isArray(listed) ? listed : findList(body, isEntry)
  if (!items) return null
  const more = [at(userItems, 'hasMore'), at(userItems, 'pagination.hasNext')].find(
    (value) => typeof value === 'boolean',
  )
  const total = [at(userItems, 'totalCount'), at(userItems, 'pagination.totalCount')].find(Number.isSafeInteger)
  return {
    page: { items, more: more === undefined ? null : more === true, total: typeof total === 'number' ? total : null },
  }
}

/** Mercari's own make: the Japanese site's items have the same ids, and yen where cents are here. */
function isEntry(value: unknown): boolean {
  return rawItem(value) !== null && typeof at(value, '__typename') === 'string'
}

function errorCode(message: string, code: string): string {
  // Older servers of this kind say it in the message only.
  if (/^PersistedQueryNotFound$/i.test(message)) return 'PERSISTED_QUERY_NOT_FOUND'
  return (
    code === '' && /unauthori[sz]ed|unauthenticated|log ?in/i.test(message) ? 'UNAUTHENTICATED' : code
  ).toUpperCase()
}

/** A single item from the API (captured 2026-09): `{data: {item}}`. Null for anything else. */
export function parseItemAnswer(text: string): RawItem | null {
  return rawItem(at(parseJson(text), 'data.item'))
}

/**
 * The item in the state of its page: an entry of an Apollo cache whose members point to further entries, or the item
 * itself (older pages). Looked for elsewhere in the state when it is not where it was. Null: the page carries none.
 */
export function parseItemState(html: string, id: string): RawItem | null {
  const state = findScriptJson(html, '__NEXT_DATA__')
  if (state === undefined) return null
  const props = at(state, 'props.pageProps')
  const usual = at(props, 'serverState')
  const usualKey = isObject(usual) ? entryKey(usual, id) : undefined
  if (isObject(usual) && usualKey !== undefined) return rawItem(resolve(usual, usual[usualKey]))
  const cache = findObject(state, (object) => entryKey(object, id) !== undefined)
  if (cache) return rawItem(resolve(cache, cache[entryKey(cache, id)!]))
  const older = at(props, 'item')
  const found = at(older, 'id') === id ? older : findObject(state, (object) => object.id === id && 'price' in object)
  return rawItem(found)
}

/** `ItemDetail:m1`; whatever comes before the colon. */
function entryKey(cache: Record<string, unknown>, id: string): string | undefined {
  const usual = `ItemDetail:${id}`
  return Object.hasOwn(cache, usual)
    ? usual
    : Object.keys(cache).find((key) => /^Item\w*:/.test(key) && key.endsWith(`:${id}`))
}

/**
 * A cache entry with the entries that its members point to in their place; what those point to is never read. The cache
 * is ours and read once: the entry itself is changed, which costs less than a copy.
 */
function resolve(cache: Record<string, unknown>, value: unknown): unknown {
  const entry = pointedTo(cache, value)
  if (!isObject(entry)) return entry
  for (const key of Object.keys(entry)) {
    const member = entry[key]
    // `__proto__` is no member to be read, but one that would become something else.
    if (!isObject(member) || key === '__proto__') continue
    if (!Array.isArray(member)) entry[key] = pointedTo(cache, member)
    else for (let index = 0; index < member.length; index++) member[index] = pointedTo(cache, member[index])
  }
  return entry
}

function pointedTo(cache: Record<string, unknown>, value: unknown): unknown {
  const ref = isObject(value) ? value.__ref : undefined
  if (typeof ref !== 'string') return value
  return Object.hasOwn(cache, ref) ? cache[ref] : undefined
}

/** What an item's page shows in its elements. What is not there, or there more than once and differing, is left out. */
export interface ItemElements {
  title?: string
  /** As shown: "$17.10". */
  price?: string
  description?: string
  condition?: string
  brand?: string
  sold: boolean
  images: string[]
}

/** What the elements of an item's page say; what it does not show is left out. */
export function parseItemElements(html: string, id: string): ItemElements {
  const $ = load(html)
  const texts = {
    title: onlyText($, selectors.item.title) ?? onlyText($, 'h1'),
    price: onlyText($, selectors.item.price),
    description: onlyText($, selectors.item.description),
    condition: onlyText($, selectors.item.condition),
    brand: onlyText($, selectors.item.brand),
  }
  return {
    ...Object.fromEntries(Object.entries(texts).filter(([, text]) => text !== undefined)),
    sold: $(selectors.item.sold).length > 0,
    images: findImages(html, id),
  }
}

/** The price in cents where it stands as always, found by its position; null when it does not. */
export function findShownPrice(html: string): number | null {
  const from = html.indexOf('data-testid="ItemPrice"')
  if (from < 0) return null
  const open = html.indexOf('>', from)
  if (open < 0 || open - from > 500) return null
  const shown = /^\s*\$([\d,]{1,12}(?:\.\d\d)?)\s*</.exec(html.slice(open + 1, open + 100))?.[1]
  return shown === undefined ? null : minorFromDecimal(shown.replaceAll(',', ''), 'USD')
}

/** Addresses of the item's own pictures in the order of their numbers, wherever they stand in the page. */
function findImages(html: string, id: string): string[] {
  const found = new Map<number, string>()
  for (const [address, number] of html.matchAll(
    new RegExp(`https://[\\w.-]+\\.mercdn\\.net/photos/${id}_(\\d{1,3})\\.jpg(?:\\?\\d+)?`, 'g'),
  )) {
    if (!found.has(Number(number))) found.set(Number(number), address)
  }
  return [...found].sort(([one], [other]) => one - other).map(([, address]) => address)
}

/** Ids of the items that a page of the seller's lists links to, in order. */
export function parseListLinks(html: string): string[] {
  const $ = load(html)
  const ids = $(selectors.listLink)
    .toArray()
    .flatMap((link) => /\/(?:us\/item|order_status)\/(m\d{1,20})\b/.exec($(link).attr('href') ?? '')?.[1] ?? [])
  return [...new Set(ids)]
}

function onlyText($: CheerioAPI, selector: string): string | undefined {
  const texts = new Set(
    $(selector)
      .toArray()
      .map((element) => $(element).text().trim())
      .filter((text) => text !== ''),
  )
  return texts.size === 1 ? [...texts][0] : undefined
}
