import type { ListingChoice } from '#server/integrations/port.ts'
import type { ListingOptions } from '#shared/contract/selling/listings.ts'

/** Prefix of an aspect among the choices: `aspects.Brand`. */
const aspectPrefix = 'aspects.'
/** Prefix of a condition descriptor among the choices: `condition_descriptors.40001`. */
const descriptorPrefix = 'condition_descriptors.'

export interface CompletedOptions {
  options: ListingOptions
  /** Required choices without a requested, remembered, suggested or only value. */
  missing: ListingChoice[]
}

/**
 * Completes listing options: the requested value, else the seller's default, else the platform's
 * suggested or only value. Pure.
 */
export function completeOptions(
  asked: ListingOptions,
  defaults: ListingOptions,
  choices: readonly ListingChoice[],
): CompletedOptions {
  const options: ListingOptions = { ...defaults, ...asked, aspects: { ...defaults.aspects, ...asked.aspects } }
  const missing: ListingChoice[] = []
  for (const choice of choices) {
    if (valuesOf(options, choice.option).length > 0) continue
    const value = suggestedOf(choice)
    if (value !== null) set(options, choice.option, value)
    else if (choice.required) missing.push(choice)
  }
  if (Object.keys(options.aspects ?? {}).length === 0) delete options.aspects
  return { options, missing }
}

/** Options that name a category. The platform has more than it offers. */
export const categoryOptions: ReadonlySet<string> = new Set(['category_id', 'taxonomy_id'])

/**
 * Returns the value to use when nobody chooses: the suggested one, else the only one of a required choice. A category or
 * condition that is not suggested is asked for, because it says what the item is.
 */
export function suggestedOf(choice: ListingChoice): string | null {
  const suggested = choice.values.find((value) => value.suggested)
  if (suggested) return suggested.id
  if (categoryOptions.has(choice.option) || choice.option === 'condition') return null
  return choice.required && choice.values.length === 1 ? (choice.values[0]?.id ?? null) : null
}

/** Returns the values set for a choice's option, possibly none. */
export function valuesOf(options: ListingOptions, name: string): string[] {
  if (name.startsWith(aspectPrefix)) return options.aspects?.[name.slice(aspectPrefix.length)] ?? []
  const value = name.startsWith(descriptorPrefix)
    ? options.condition_descriptors?.[name.slice(descriptorPrefix.length)]
    : options[name as keyof ListingOptions]
  return typeof value === 'string' && value !== '' ? [value] : []
}

function set(options: ListingOptions, name: string, value: string): void {
  if (name.startsWith(aspectPrefix)) {
    options.aspects = { ...options.aspects, [name.slice(aspectPrefix.length)]: [value] }
  } else if (name.startsWith(descriptorPrefix)) {
    options.condition_descriptors = {
      ...options.condition_descriptors,
      [name.slice(descriptorPrefix.length)]: value,
    }
  } else {
    Object.assign(options, { [name]: value })
  }
}
