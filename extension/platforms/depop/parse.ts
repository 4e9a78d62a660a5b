import { load } from 'cheerio/slim'
import { z } from 'zod'
import { at, findObject, isObject, parseJson } from '../raw.ts'
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

const Page = z.looseObject({
  objects: z.array(z.unknown()),
  page_info: z.looseObject({ has_more: z.boolean(), last: z.string().nullish() }),
})
/** `{"code":9001,"message":"Deprecated endpoint"}` (2026-06). */
const Failure = z.looseObject({ code: z.number(), message: z.string() })

/** A page of a shop's products. `next` null: there is no further page; `stuck`: there is, but not how to get it. */
export interface ProductPage {
  products: unknown[]
  next: string | null
  stuck: boolean
}

/** What the API answered: its data, its error, or nothing we know (`null`). */
export type Parsed<T> = { data: T } | { error: { code: number; message: string } } | null

export function parsePage(text: string): Parsed<ProductPage> {
  return parse(text, Page, ({ objects, page_info: { has_more, last } }) => ({
    products: objects,
    next: has_more && last ? last : null,
    stuck: has_more && !last,
  }))
}

/** A single product: as visitors or as its seller read it. */
export function parseProduct(text: string): Parsed<RawProduct> {
  return parse(text, RawProduct, (product) => product)
}

function parse<Raw, T>(text: string, schema: z.ZodType<Raw>, pick: (raw: Raw) => T): Parsed<T> {
  const body = parseJson(text)
  const parsed = schema.safeParse(body)
  if (parsed.success) return { data: pick(parsed.data) }
  const failed = Failure.safeParse(body)
  return failed.success ? { error: { code: failed.data.code, message: failed.data.message } } : null
}

/** What a product's page tells search engines. What is not there is left out. */
export interface PageProduct {
  description?: string
  /** Decimal text. */
  price?: string
  currency?: string
  sold?: boolean
  brand?: string
  images: string[]
}

/** Null: the page describes no product. */
export function parseProductPage(html: string): PageProduct | null {
  const $ = load(html)
  for (const script of $(selectors.product.jsonLd).toArray()) {
    const product = findObject(parseJson($(script).text()), (object) => object['@type'] === 'Product')
    if (!product) continue
    const offers = product.offers
    const offer: unknown = Array.isArray(offers) ? offers[0] : offers
    const availability = textOf(at(offer, 'availability'))
    const found = {
      description: textOf(product.description),
      price: textOf(at(offer, 'price')) ?? numberText(at(offer, 'price')),
      currency: textOf(at(offer, 'priceCurrency')),
      sold: availability === undefined ? undefined : soldOf(availability),
      brand: textOf(isObject(product.brand) ? product.brand.name : product.brand),
    }
    return {
      ...Object.fromEntries(Object.entries(found).filter(([, value]) => value !== undefined)),
      images: [product.image].flat().flatMap((image) => textOf(isObject(image) ? image.url : image) ?? []),
    }
  }
  return null
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

function soldOf(availability: string): boolean | undefined {
  if (/InStock$/i.test(availability)) return false
  return /(SoldOut|OutOfStock)$/i.test(availability) ? true : undefined
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value.trim() !== '' ? value : undefined
}

function numberText(value: unknown): string | undefined {
  return typeof value === 'number' ? String(value) : undefined
}
