import { load } from 'cheerio/slim'
import { at, countOf, findList, isObject, parseJson } from '../raw.ts'
import * as selectors from './selectors.ts'

/**
 * A product as Depop sends it. normalise.ts checks the required members one by one, so that an error names the changed
 * field.
 */
export type RawProduct = Record<string, unknown> & { id: number | string; slug: string }

/** Returns the value if it is a product, or null. */
export function rawProduct(value: unknown): RawProduct | null {
  if (!isObject(value)) return null
  const { id, slug } = value
  const numbered = typeof id === 'string' ? /^\d{1,20}$/.test(id) : Number.isSafeInteger(id) && (id as number) >= 1
  return numbered && typeof slug === 'string' && slug !== '' && slug.length <= 500 ? (value as RawProduct) : null
}

/** A page of a shop's products. `next` null: last page. `stuck`: more pages exist, but the cursor is missing. */
interface ProductPage {
  products: unknown[]
  next: string | null
  stuck: boolean
  /** The list's stated total; null: not stated. */
  total: number | null
}

/** An API answer: data, an error, or null for an unknown format. */
export type Parsed<T> = { data: T } | { error: { code: number; message: string } } | null

/** Parses a page of products. Searches the whole answer if the list has moved. */
export function parsePage(text: string): Parsed<ProductPage> {
  const body = parseJson(text)
  const objects = at(body, 'objects')
  const products = Array.isArray(objects) ? objects : findList(body, (one) => rawProduct(one) !== null)
  if (!products) return failureOf(body)
  const total = countOf(at(body, 'meta.total_count')) ?? null
  return { data: { products, ...nextPage(body, total), total } }
}

/**
 * Returns the next page's cursor. A flag decides where the answer has one: `page_info.has_more`, or `meta.hasMore` of
 * earlier answers. Without a flag, a cursor of null ends the list, and else its total tells whether something is missing.
 */
function nextPage(body: unknown, total: number | null): Pick<ProductPage, 'next' | 'stuck'> {
  const flags = [at(body, 'page_info.has_more'), at(body, 'meta.hasMore')]
  const more = flags.find((flag) => typeof flag === 'boolean')
  const last = at(body, 'page_info.last')
  const isOdd = more === undefined && flags.some((flag) => flag !== undefined && flag !== null)
  if (more === false) return { next: null, stuck: false }
  if (typeof last === 'string' && last !== '' && !isOdd) return { next: last, stuck: false }
  return { next: null, stuck: more === true || isOdd || (last !== null && total === null) }
}

/** Parses a single product, in the visitor's or the seller's view. */
export function parseProduct(text: string): Parsed<RawProduct> {
  const body = parseJson(text)
  const product = rawProduct(body)
  return product ? { data: product } : failureOf(body)
}

/** Parses an error such as `{"code":9001,"message":"Deprecated endpoint"}`. */
function failureOf(body: unknown): Parsed<never> {
  const [code, message] = [at(body, 'code'), at(body, 'message')]
  return typeof code === 'number' && typeof message === 'string' ? { error: { code, message } } : null
}

/** Returns the slugs of the products that a shop page links to, in order. */
export function parseProductLinks(html: string): string[] {
  const $ = load(html)
  const slugs = $(selectors.productLink)
    .toArray()
    // Slugs contain hyphens, unlike `/products/create/`.
    .flatMap(
      (link) =>
        /\/products\/([A-Za-z0-9_.]+-[A-Za-z0-9_.-]*[A-Za-z0-9])(?:[/?#]|$)/.exec($(link).attr('href') ?? '')?.[1] ??
        [],
    )
  return [...new Set(slugs)]
}
