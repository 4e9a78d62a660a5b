import { load } from 'cheerio/slim'
import { z } from 'zod'
import { at, findList, parseJson } from '../raw.ts'
import * as selectors from './selectors.ts'

/**
 * What Depop sends, as it sends it. Only what is read further is named; members that a listing cannot do without are
 * judged one by one in normalise.ts, so that a changed one can be named.
 */
export const RawProduct = z.looseObject({
  id: z.union([z.int().min(1), z.string().regex(/^\d{1,20}$/)]),
  slug: z.string().min(1).max(500),
})
export type RawProduct = z.infer<typeof RawProduct>

const PageInfo = z.looseObject({ has_more: z.boolean(), last: z.string().nullish() })
/** `{"code":9001,"message":"Deprecated endpoint"}` (2026-06). */
const Failure = z.looseObject({ code: z.number(), message: z.string() })

/** A page of a shop's products. `next` null: there is no further page; `stuck`: there may be, but not how to get it. */
export interface ProductPage {
  products: unknown[]
  next: string | null
  stuck: boolean
}

/** What the API answered: its data, its error, or nothing we know (`null`). */
export type Parsed<T> = { data: T } | { error: { code: number; message: string } } | null

/** The list is looked for elsewhere in the answer when it is not where it was. */
export function parsePage(text: string): Parsed<ProductPage> {
  const body = parseJson(text)
  const objects = at(body, 'objects')
  const products = Array.isArray(objects) ? objects : findList(body, (one) => RawProduct.safeParse(one).success)
  if (!products) return failureOf(body)
  const info = PageInfo.safeParse(at(body, 'page_info')).data
  const next = (info?.has_more && info.last) || null
  return { data: { products, next, stuck: info === undefined || (info.has_more && next === null) } }
}

/** A single product: as visitors or as its seller read it. */
export function parseProduct(text: string): Parsed<RawProduct> {
  const body = parseJson(text)
  const product = RawProduct.safeParse(body)
  return product.success ? { data: product.data } : failureOf(body)
}

function failureOf(body: unknown): Parsed<never> {
  const failed = Failure.safeParse(body)
  return failed.success ? { error: { code: failed.data.code, message: failed.data.message } } : null
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
