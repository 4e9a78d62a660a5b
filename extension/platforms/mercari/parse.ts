import { type CheerioAPI, load } from 'cheerio/slim'
import { z } from 'zod'
import { minorFromDecimal } from '#shared/money.ts'
import { at, findList, findObject, findScriptJson, isObject, parseJson } from '../raw.ts'
import * as selectors from './selectors.ts'

/**
 * An item as Mercari sends it. normalise.ts checks the required members one by one, so that an error names the changed
 * field.
 */
export type RawItem = Record<string, unknown> & { id: string }

/** Returns the value if it is an item, or null. */
export function rawItem(value: unknown): RawItem | null {
  return isObject(value) && typeof value.id === 'string' && /^m\d{1,20}$/.test(value.id) ? (value as RawItem) : null
}

const GraphErrors = z.looseObject({
  errors: z
    .array(z.looseObject({ message: z.string().nullish(), extensions: z.looseObject({ code: z.unknown() }).nullish() }))
    .min(1),
})

/** A page of a seller's list. `more` null: the answer does not tell whether pages follow. */
interface ListPage {
  items: unknown[]
  more: boolean | null
  total: number | null
}

/** An API answer: a page, an error with an upper-case code, or null for an unknown format. */
type ParsedList = { page: ListPage } | { error: { code: string; message: string } } | null

/** Parses an answer to the query for a seller's items. Errors come with HTTP 200. */
export function parseList(text: string): ParsedList {
  const body = parseJson(text)
  const failed = GraphErrors.safeParse(body)
  if (failed.success) {
    const { message, extensions } = failed.data.errors[0]!
    return { error: { code: errorCode(message ?? '', String(extensions?.code ?? '')), message: message ?? '' } }
  }
  const userItems = at(body, 'data.userItems')
  const listed = at(userItems, 'items')
  // Search the whole answer if the list has moved.
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

/** Excludes items of Mercari Japan, which have the same ids but prices in yen. */
function isEntry(value: unknown): boolean {
  return rawItem(value) !== null && typeof at(value, '__typename') === 'string'
}

function errorCode(message: string, code: string): string {
  // Older GraphQL servers put the code into the message.
  if (/^PersistedQueryNotFound$/i.test(message)) return 'PERSISTED_QUERY_NOT_FOUND'
  return (
    code === '' && /unauthori[sz]ed|unauthenticated|log ?in/i.test(message) ? 'UNAUTHENTICATED' : code
  ).toUpperCase()
}

/**
 * Returns the item in its page's state, or null. The item is an Apollo cache entry that refers to other entries, or a
 * plain object on older pages. Searches the whole state if it has moved.
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

/** Returns the cache key of an item, such as `ItemDetail:m1`, with any prefix. */
function entryKey(cache: Record<string, unknown>, id: string): string | undefined {
  const usual = `ItemDetail:${id}`
  return Object.hasOwn(cache, usual)
    ? usual
    : Object.keys(cache).find((key) => /^Item\w*:/.test(key) && key.endsWith(`:${id}`))
}

/**
 * Replaces the references in a cache entry by their entries, one level deep. Changes the entry in place, which is
 * cheaper than a copy, because the cache is parsed for this read only.
 */
function resolve(cache: Record<string, unknown>, value: unknown): unknown {
  const entry = pointedTo(cache, value)
  if (!isObject(entry)) return entry
  for (const key of Object.keys(entry)) {
    const member = entry[key]
    // Never assign `__proto__`, which would change the prototype.
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

/** The data in an item page's elements. Missing and ambiguous values are left out. */
export interface ItemElements {
  title?: string
  /** The displayed text, such as "$17.10". */
  price?: string
  description?: string
  condition?: string
  brand?: string
  sold: boolean
  images: string[]
}

/** Reads the elements of an item's page. */
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

/** Returns the displayed price in cents by a string search, or null. */
export function findShownPrice(html: string): number | null {
  const from = html.indexOf('data-testid="ItemPrice"')
  if (from < 0) return null
  const open = html.indexOf('>', from)
  if (open < 0 || open - from > 500) return null
  const shown = /^\s*\$([\d,]{1,12}(?:\.\d\d)?)\s*</.exec(html.slice(open + 1, open + 100))?.[1]
  return shown === undefined ? null : minorFromDecimal(shown.replaceAll(',', ''), 'USD')
}

/** Returns the URLs of the item's own pictures, ordered by their number. */
function findImages(html: string, id: string): string[] {
  const found = new Map<number, string>()
  for (const [address, number] of html.matchAll(
    new RegExp(`https://[\\w.-]+\\.mercdn\\.net/photos/${id}_(\\d{1,3})\\.jpg(?:\\?\\d+)?`, 'g'),
  )) {
    if (!found.has(Number(number))) found.set(Number(number), address)
  }
  return [...found].sort(([one], [other]) => one - other).map(([, address]) => address)
}

/** Returns the ids of the items that a list page links to, in order. */
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
