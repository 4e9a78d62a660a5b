import { identifierOf, packedOf } from '#server/integrations/item-texts/item-details.ts'
import type { PublishRequest } from '#server/integrations/port.ts'
import type { Fields } from '../client.ts'
import { languageOf } from '../marketplaces.ts'
import { cut } from './cut.ts'
import { fieldNamed, isNotApplicable, isUnbranded, type ProductField, termsOf } from './local-terms.ts'

/** Sites that measure parcels in inches and ounces. */
const imperial = new Set(['EBAY_US', 'EBAY_MOTORS_US'])

/** Sites that use a parcel's weight and size; others ignore them. */
const measured = new Set(['EBAY_US', 'EBAY_MOTORS_US', 'EBAY_GB', 'EBAY_DE', 'EBAY_IT', 'EBAY_CA', 'EBAY_AU'])

/**
 * Returns the parcel of an item; null if nothing is known or the site ignores it. Measures are rounded up, as eBay and
 * the carriers do. Only the US site asks for a package type.
 */
export function packageOf(request: PublishRequest, site: string): Fields | null {
  const { weight_grams, parcel } = packedOf(request)
  if (!measured.has(site) || (weight_grams === null && parcel === null)) return null
  const isImperial = imperial.has(site)
  const measure = (unit: string, value: number) => ({
    '@unit': unit,
    '@measurementSystem': isImperial ? 'English' : 'Metric',
    '#text': String(Math.ceil(value - 1e-9)),
  })
  const length = (mm: number) => (isImperial ? measure('in', mm / 25.4) : measure('cm', mm / 10))
  const [major, minor, perMajor] = isImperial ? ['lbs', 'oz', 16] : ['kg', 'gm', 1_000]
  const small = weight_grams === null ? 0 : Math.ceil(isImperial ? weight_grams / 28.349_523_125 : weight_grams)
  return {
    PackageDepth: parcel ? length(parcel.height_mm) : undefined,
    PackageLength: parcel ? length(parcel.length_mm) : undefined,
    PackageWidth: parcel ? length(parcel.width_mm) : undefined,
    ShippingPackage: isImperial ? 'PackageThickEnvelope' : undefined,
    WeightMajor: weight_grams === null ? undefined : measure(String(major), Math.floor(small / Number(perMajor))),
    WeightMinor: weight_grams === null ? undefined : measure(String(minor), small % Number(perMajor)),
  }
}

/** Identifiers that are codes. */
export const listed = ['isbn', 'ean', 'upc'] as const

/** Most characters of a brand and of a part number. */
export const maxProductField = 65

/** Returns the product identifiers of an item as eBay's fields; undefined without any. */
export function productOf(...given: Parameters<typeof identifiersOf>): Fields | undefined {
  const { isbn, ean, upc, brand, mpn } = identifiersOf(...given)
  if (!isbn && !ean && !upc && !brand) return undefined
  return {
    ISBN: isbn,
    UPC: upc,
    EAN: ean,
    BrandMPN: brand ? { Brand: brand, MPN: mpn } : undefined,
    // One-of-a-kind items must not take text or pictures from eBay's catalog.
    IncludeeBayProductDetails: false,
  }
}

/**
 * Returns the product identifiers of an item. Brand and MPN are sent as a pair, because eBay refuses one
 * without the other. `wanted` identifiers that the item lacks get the site's text for it: "Does not apply".
 */
export function identifiersOf(
  request: PublishRequest,
  aspects: Record<string, string[]>,
  wanted: ReadonlySet<ProductField> = new Set(),
  language = languageOf(String(request.options.marketplace_id ?? '')),
): Partial<Record<ProductField, string>> {
  const { notApplicable, unbranded } = termsOf(language)
  const ofAspect = (field: ProductField) =>
    Object.entries(aspects)
      .find(([label]) => fieldNamed(label) === field)?.[1][0]
      ?.trim() || null
  const found: Partial<Record<ProductField, string>> = {}
  for (const name of listed) {
    const value = identifierOf(request, name) ?? ofAspect(name)
    const code = value !== null && isNotApplicable(value) ? notApplicable : codeOf(value)
    if (code !== null) found[name] = code
    else if (wanted.has(name)) found[name] = notApplicable
  }
  const brand = ofAspect('brand') ?? identifierOf(request, 'brand')
  const mpn = identifierOf(request, 'mpn') ?? ofAspect('mpn')
  if (brand || mpn || wanted.has('mpn') || wanted.has('brand')) {
    found.brand = brand === null || isUnbranded(brand) ? unbranded : cut(brand, maxProductField)
    found.mpn = mpn === null || isNotApplicable(mpn) ? notApplicable : cut(mpn, maxProductField)
  }
  return found
}

/** Returns aspects with the site's own text where a product field has another site's text for none. */
export function localAspects(aspects: Record<string, string[]>, language: string): Record<string, string[]> {
  const { notApplicable, unbranded } = termsOf(language)
  const local = (field: ProductField, value: string) =>
    field === 'brand' ? (isUnbranded(value) ? unbranded : value) : isNotApplicable(value) ? notApplicable : value
  return Object.fromEntries(
    Object.entries(aspects).map(([name, values]) => {
      const field = fieldNamed(name)
      return [name, field ? values.map((value) => local(field, value)) : values]
    }),
  )
}

/** Returns a code without hyphens and spaces; null if it is not a code. */
export function codeOf(value: string | null): string | null {
  const bare = (value ?? '').replace(/[\s-]/g, '').toUpperCase()
  return /^\d{7,13}[\dX]$/.test(bare) ? bare : null
}
