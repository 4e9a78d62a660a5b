import type { AnswerCache } from '#server/integrations/answer-cache.ts'
import { isFailure, PlatformError } from '#server/integrations/errors.ts'
import { knownValue, ownValue } from '#server/integrations/item-texts/item-details.ts'
import type { ListingChoice, PublishRequest } from '#server/integrations/port.ts'
import { lengthText, lengthUnit, readMeasure, type Unit, unitOf } from '#shared/item/units.ts'
import type { Etsy } from '../client.ts'
import type { Form } from './listing-body.ts'
import { isMalformedValue } from './listing-text.ts'
import { TaxonomyProperties, type TaxonomyProperty } from './selling-wire.ts'

/** Cache time of a category's properties, which change a few times a year. */
const propertiesMaxAgeMs = 86_400_000

const aspect = 'aspects.'

/** A value of a property as sellers choose it. Its id names the scale where the property has several: "EU 38". */
interface PropertyValue {
  id: string
  name: string
  value_id: number | null
  scale_id: number | null
}

const pathOf = (taxonomyId: string) => `/seller-taxonomy/nodes/${encodeURIComponent(taxonomyId)}/properties`

/** Returns whether the properties of a category are known without a call. */
export const hasProperties = (cache: AnswerCache, taxonomyId: string) =>
  cache.has(pathOf(taxonomyId), propertiesMaxAgeMs)

/** Returns the properties that a category's listings may have; none for an unknown category. */
export function readProperties(
  etsy: Etsy,
  cache: AnswerCache,
  taxonomyId: string,
  signal?: AbortSignal,
): Promise<TaxonomyProperty[]> {
  const path = pathOf(taxonomyId)
  return cache.read(path, propertiesMaxAgeMs, async () => {
    try {
      const { results } = await etsy({ call: 'the properties of the category', path, signal }, TaxonomyProperties)
      return results.filter(isAsked)
    } catch (error) {
      // Another finding tells of an unknown category.
      if (isFailure(error, 'not_found') || isFailure(error, 'refused')) return []
      throw error
    }
  })
}

/**
 * Etsy itself selects some values of some properties, and others are for variations only. Of those that Etsy does not
 * require, Hapax fills in measurements.
 */
function isAsked(property: TaxonomyProperty): boolean {
  const { is_required, supports_attributes, selected_values } = property
  const isOurs = is_required === true || unitOfScale(property) !== null
  return isOurs && supports_attributes !== false && (selected_values ?? []).length === 0
}

/** Returns the unit in which a property takes lengths as free text; null for other properties. */
function unitOfScale({ scales, possible_values }: TaxonomyProperty): Unit | null {
  const unit = unitOf(scales?.[0]?.display_name ?? '')
  return unit?.of === 'length' && (possible_values ?? []).length === 0 ? unit : null
}

/** Returns the item's own measurement as a number on the scale of a property; null for none. */
function measurementFor(property: TaxonomyProperty, item: PublishRequest): string | null {
  const unit = unitOfScale(property)
  const own = ownValue(nameOf(property), item)
  const mm = unit && own && readMeasure(own, unit)
  if (!mm) return null
  const system = unit === lengthUnit.us ? 'us' : 'metric'
  return String(unit === lengthUnit[system] ? Number.parseFloat(lengthText(mm, system)) : mm)
}

const nameOf = ({ display_name, name, property_id }: TaxonomyProperty) => display_name || name || String(property_id)

/**
 * Returns the required properties, and those that take a measurement which the item has, as choices. The item's
 * attributes and title suggest their values.
 */
export function propertyChoices(properties: readonly TaxonomyProperty[], item: PublishRequest): ListingChoice[] {
  return properties.flatMap((property) => {
    const name = nameOf(property)
    const values = valuesOf(property)
    const measured = measurementFor(property, item)
    const required = property.is_required === true
    if (!required && measured === null) return []
    const scale = property.scales?.[0]?.display_name
    const isFree = values.length === 0
    const known = isFree ? knownValue(itemName(name), [], true, item) : suggestedValue(name, values, item)
    const suggested = (isFree ? measured : null) ?? known?.value ?? null
    const shown = isFree ? (suggested === null ? [] : [{ id: suggested, name: suggested }]) : values
    return {
      option: `${aspect}${name}`,
      ...(isFree && scale ? { label: `${name}, in ${scale.toLowerCase()}` } : {}),
      required,
      free_text: isFree,
      ...(known?.source && suggested === known.value ? { source: known.source } : {}),
      values: shown.map(({ id }) => ({ id, name: id, suggested: id === suggested })),
    }
  })
}

function valuesOf({ possible_values, scales }: TaxonomyProperty): PropertyValue[] {
  const values = (possible_values ?? []).filter(({ name }) => !isMalformedValue(name))
  const severalScales = new Set(values.map(({ scale_id }) => scale_id ?? null)).size > 1
  return values.map(({ name, value_id, scale_id }) => {
    const scale = severalScales ? scales?.find((one) => one.scale_id === scale_id)?.display_name : undefined
    return { id: scale ? `${scale} ${name}` : name, name, value_id: value_id ?? null, scale_id: scale_id ?? null }
  })
}

/** Returns the value that the item has. A size that two scales have is no answer unless the item names its scale. */
function suggestedValue(name: string, values: readonly PropertyValue[], item: PublishRequest) {
  const ids = values.map(({ id }) => id)
  const known = knownValue(itemName(name), ids, false, item)
  const value = values.find(({ id }) => id === known?.value)
  if (!known || !value) return null
  const isAmbiguous = values.filter((one) => one.name === value.name).length > 1
  const named = `${item.title} ${JSON.stringify(item.attributes)}`.toLowerCase()
  return isAmbiguous && !named.includes(value.id.toLowerCase()) ? null : known
}

/** Returns the item's own word for a property: "Primary color" is its color. */
function itemName(name: string): string {
  return /\b(colou?r|material|brand)\b/i.exec(name)?.[1] ?? name
}

/**
 * Returns the form of updateListingProperty for each required or chosen property, by its id. Throws `refused` for a property
 * without a value, or a value that the category does not have.
 */
export function propertyForms(
  properties: readonly TaxonomyProperty[],
  options: PublishRequest['options'],
): { id: number; name: string; form: Form }[] {
  const aspects = (options.aspects ?? {}) as Record<string, string[] | undefined>
  return properties.flatMap((property) => {
    const name = nameOf(property)
    const chosen = aspects[name] ?? []
    if (chosen.length === 0 && property.is_required !== true) return []
    if (chosen.length === 0) {
      const message = `Etsy requires the property “${name}” in this category.`
      throw new PlatformError('etsy', 'refused', message, { platformCode: 'missing_option' })
    }
    const values = valuesOf(property)
    const isFree = values.length === 0
    const found = chosen.map((id): PropertyValue => {
      const value = isFree ? { id, name: id, value_id: null, scale_id: null } : values.find((one) => one.id === id)
      if (value) return value
      const message = `Etsy has no “${id}” for “${name}” in this category.`
      throw new PlatformError('etsy', 'refused', message, { platformCode: 'not_allowed' })
    })
    const scale = found[0]?.scale_id ?? (isFree ? property.scales?.[0]?.scale_id : null) ?? null
    return {
      id: property.property_id,
      name,
      // One comma-separated value each. Of a repeated name, Etsy would read only the last.
      form: {
        value_ids: found.flatMap(({ value_id }) => value_id ?? []).join(','),
        values: found.map((value) => value.name).join(','),
        ...(scale === null ? {} : { scale_id: scale }),
      },
    }
  })
}
