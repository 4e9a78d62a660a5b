import { identifierOf, packedOf } from '#server/integrations/item-details.ts'
import type { PublishRequest } from '#server/integrations/port.ts'
import { languageOf } from '../marketplaces.ts'
import { cut } from './cut.ts'
import { fieldNamed, isNotApplicable, isUnbranded, type ProductField, termsOf } from './local-terms.ts'

/** Sites that measure parcels in inches and ounces. */
const imperial = new Set(['EBAY_US', 'EBAY_MOTORS_US'])

/** Sites that use a parcel's weight and size; others ignore them. */
const measured = new Set(['EBAY_US', 'EBAY_MOTORS_US', 'EBAY_GB', 'EBAY_DE', 'EBAY_IT', 'EBAY_CA', 'EBAY_AU'])

/** Rounds up to a tenth, as carriers do, so a parcel is never understated. */
const upToTenth = (value: number) => Math.ceil(value * 10 - 1e-9) / 10

/**
 * Returns `packageWeightAndSize` of an inventory item; null if nothing is known or the site ignores it. Only the US
 * site requires a package type, and it refuses most documented types when the offer is published (25101).
 */
export function packageOf(request: PublishRequest, site: string): object | null {
  const { weight_grams, parcel } = packedOf(request)
  if (!measured.has(site) || (weight_grams === null && parcel === null)) return null
  const isImperial = imperial.has(site)
  const length = (mm: number) => upToTenth(isImperial ? mm / 25.4 : mm / 10)
  return {
    ...(isImperial ? { packageType: 'PACKAGE_THICK_ENVELOPE' } : {}),
    ...(weight_grams === null
      ? {}
      : {
          weight: isImperial
            ? { value: upToTenth(weight_grams / 28.349_523_125), unit: 'OUNCE' }
            : { value: weight_grams / 1_000, unit: 'KILOGRAM' },
        }),
    ...(parcel === null
      ? {}
      : {
          dimensions: {
            length: length(parcel.length_mm),
            width: length(parcel.width_mm),
            height: length(parcel.height_mm),
            unit: isImperial ? 'INCH' : 'CENTIMETER',
          },
        }),
  }
}

/** Identifiers that eBay expects as lists. */
export const listed = ['isbn', 'ean', 'upc'] as const

/** Most characters of a brand and of a part number. */
export const maxProductField = 65

/**
 * Returns the product identifiers of an inventory item. Brand and MPN are sent as a pair, because eBay refuses one
 * without the other. `wanted` identifiers that the item lacks get the site's text for it: "Does not apply".
 */
export function identifiersOf(
  request: PublishRequest,
  aspects: Record<string, string[]>,
  wanted: ReadonlySet<ProductField> = new Set(),
  language = languageOf(String(request.options.marketplace_id ?? '')),
): Record<string, string | string[]> {
  const { notApplicable, unbranded } = termsOf(language)
  const ofAspect = (field: ProductField) =>
    Object.entries(aspects)
      .find(([label]) => fieldNamed(label) === field)?.[1][0]
      ?.trim() || null
  const found: Record<string, string | string[]> = {}
  for (const name of listed) {
    const value = identifierOf(request, name) ?? ofAspect(name)
    const code = value !== null && isNotApplicable(value) ? notApplicable : codeOf(value)
    if (code !== null) found[name] = [code]
    else if (wanted.has(name)) found[name] = [notApplicable]
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
