import { load } from 'cheerio/slim'
import { at, findObject, isObject, parseJson } from './raw.ts'

/** Product data in schema.org JSON-LD, the most stable part of a shop page. Missing members are left out. */
export interface PageProduct {
  title?: string
  description?: string
  /** Decimal text. */
  price?: string
  currency?: string
  sold?: boolean
  brand?: string
  images: string[]
}

/**
 * Parses the JSON-LD product of a page. Returns null if the page describes no product.
 * `isOthers` tells whether a URL belongs to another product, so suggestions on the page are skipped.
 */
export function parseJsonLd(html: string, isOthers: (address: string) => boolean = () => false): PageProduct | null {
  const $ = load(html)
  for (const script of $('script[type="application/ld+json"]').toArray()) {
    const product = findObject(
      parseJson($(script).text()),
      (object) => object['@type'] === 'Product' && !addressesOf(object).some(isOthers),
    )
    if (!product) continue
    const offer = offerOf(product)
    const availability = textOf(at(offer, 'availability'))
    const found = {
      title: textOf(product.name),
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

function offerOf({ offers }: Record<string, unknown>): unknown {
  return Array.isArray(offers) ? offers[0] : offers
}

function addressesOf(product: Record<string, unknown>): string[] {
  return [product.url, at(offerOf(product), 'url')].flatMap((address) => textOf(address) ?? [])
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
