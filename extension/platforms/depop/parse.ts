import { load } from 'cheerio/slim'
import { at, countOf, findList, isObject, parseJson } from '../raw.ts'
import * as selectors from './selectors.ts'

/**
 * What Depop sends, as it sends it. Only what is read further is named; members that a listing cannot do without are
 * judged one by one in normalise.ts, so that a changed one can be named.
 */
export type RawProduct = Record<string, unknown> & { id: number | string; slug: string }

/** The value when it is a product; null for anything else. */
export function rawProduct(value: unknown): RawProduct | null {
  if (!isObject(value)) return null
  const { id, slug } = value
  const numbered = typeof id === 'string' ? /^\d{1,20}$/.test(id) : Number.isSafeInteger(id) && (id as number) >= 1
  return numbered && typeof slug === 'string' && slug !== '' && slug.length <= 500 ? (value as RawProduct) : null
}

/** A page of a shop's products. `next` null: there is no further page; `stuck`: there may be, but not how to get it. */
export interface ProductPage {
  products: unknown[]
  next: string | null
  stuck: boolean
  /** How many products the list says it holds; null: it does not say. */
  total: number | null
}

/** What the API answered: its data, its error, or nothing we know (`null`). */
export type Parsed<T> = { data: T } | { error: { code: number; message: string } } | null

/** The list is looked for elsewhere in the answer when it is not where it was. */
export function parsePage(text: string): Parsed<ProductPage> {
  const body = parseJson(text)
  const objects = at(body, 'objects')
  const products = Array.isArray(objects) ? objects : findList(body, (one) => rawProduct(one) !== null)
  if (!products) return failureOf(body)
  const more = at(body, 'page_info.has_more')
  const last = at(body, 'page_info.last') ?? null
  const told = typeof more === 'boolean' && (last === null || typeof last === 'string')
  const next = (told && more && (last as string | null)) || null
  const total = countOf(at(body, 'meta.total_count')) ?? null
  return { data: { products, next, stuck: !told || (more && next === null), total } }
}

/** A single product: as visitors or as its seller read it. */
export function parseProduct(text: string): Parsed<RawProduct> {
  const body = parseJson(text)
  const product = rawProduct(body)
  return product ? { data: product } : failureOf(body)
}

/** `{"code":9001,"message":"Deprecated endpoint"}` (2026-06). */
function failureOf(body: unknown): Parsed<never> {
  const [code, message] = [at(body, 'code'), at(body, 'message')]
  return typeof code === 'number' && typeof message === 'string' ? { error: { code, message } } : null
}

/** Slugs of the products that a shop's page links to, in order. */
export function parseProductLinks(html: string): string[] {
  const $ = load(html)
  const slugs = $(selectors.productLink)
    .toArray()
    // A slug is words with hyphens, which `/products/create/` is not.
    .flatMap(
      (link) =>
        /\/products\/([A-Za-z0-9_.]+-[A-Za-z0-9_.-]*[A-Za-z0-9])(?:[/?#]|$)/.exec($(link).attr('href') ?? '')?.[1] ??
        [],
    )
  return [...new Set(slugs)]
}
