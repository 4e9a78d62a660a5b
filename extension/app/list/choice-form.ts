import type { Choice, ListingOptions } from '#shared/contract/selling/listings.ts'
import { detailOptions } from '#shared/item/detail-options.ts'

/** The seller's answers by option name. Unanswered options are missing or ''. */
export type Answers = Readonly<Record<string, string>>

/** One choice as a form field. */
export interface ChoiceField {
  option: string
  kind: 'category' | 'text' | 'select'
  required: boolean
  /** Suggested values come first. */
  values: Choice['values']
  /** Applies to the whole shop, not to one item. */
  ofShop: boolean
  /** The marketplace's own label, if it has one. */
  label?: string | undefined
  /** The marketplace's page where a missing value is made. */
  link?: string | undefined
}

const categories = ['category_id', 'taxonomy_id']

/** Options that describe one item, besides its aspects. All others belong to the shop. */
const ofThing: readonly string[] = [
  ...categories,
  'condition',
  'who_made',
  'when_made',
  'is_supply',
  'production_partner_ids',
  ...detailOptions,
]

const aspect = 'aspects.'
const descriptor = 'condition_descriptors.'

/** Returns the form fields for choices, in the same order. */
export function fieldsOf(choices: readonly Choice[]): ChoiceField[] {
  return choices.map(({ option, required, values, free_text, label, link }) => ({
    option,
    kind: categories.includes(option) ? 'category' : free_text ? 'text' : 'select',
    required,
    values: [...values].sort((one, other) => Number(other.suggested ?? false) - Number(one.suggested ?? false)),
    ofShop: !ofThing.includes(option) && !option.startsWith(aspect) && !option.startsWith(descriptor),
    label,
    link,
  }))
}

/**
 * Returns the form's current answers: the seller's if still valid, else the defaults. Another category may offer other
 * values.
 */
export function answersOf(choices: readonly Choice[], given: Answers): Answers {
  return Object.fromEntries(
    choices.map((choice) => {
      const own = given[choice.option]
      if (own !== undefined && (own === '' || canBe(choice, own))) return [choice.option, own]
      return [choice.option, choice.default_id !== null && canBe(choice, choice.default_id) ? choice.default_id : '']
    }),
  )
}

/** Searched categories are not among the values, so any category is accepted. */
function canBe(choice: Choice, value: string): boolean {
  return choice.free_text || categories.includes(choice.option) || choice.values.some(({ id }) => id === value)
}

/** Returns required options without an answer. */
export function missingOf(choices: readonly Choice[], answers: Answers): string[] {
  return choices
    .filter(({ option, required }) => required && (answers[option] ?? '').trim() === '')
    .map(({ option }) => option)
}

/** Builds the options of a listing from the form's answers. */
export function optionsOf(choices: readonly Choice[], answers: Answers): ListingOptions {
  return optionsFrom(Object.fromEntries(choices.map(({ option }) => [option, answers[option] ?? ''])))
}

/** Builds the options of a listing from answers by option name. */
export function optionsFrom(answers: Answers): ListingOptions {
  const options: Record<string, string> = {}
  const aspects: Record<string, string[]> = {}
  const descriptors: Record<string, string> = {}
  for (const [option, answer] of Object.entries(answers)) {
    const value = answer.trim()
    if (value === '') continue
    if (option.startsWith(aspect)) aspects[option.slice(aspect.length)] = [value]
    else if (option.startsWith(descriptor)) descriptors[option.slice(descriptor.length)] = value
    else options[option] = option === 'shipping_cost' ? value.replace(',', '.') : value
  }
  return {
    ...options,
    ...(Object.keys(aspects).length > 0 ? { aspects } : {}),
    ...(Object.keys(descriptors).length > 0 ? { condition_descriptors: descriptors } : {}),
  }
}

/**
 * Returns shop options that replace a default which no longer exists on the platform. They become the new defaults.
 * Returns none for another site, which has its own policies.
 */
export function replacedOf(choices: readonly Choice[], answers: Answers): Record<string, string> {
  const elsewhere = choices.some(
    ({ option, default_id }) => option === 'marketplace_id' && default_id !== answers.marketplace_id,
  )
  if (elsewhere) return {}
  const shop = new Set(fieldsOf(choices).flatMap(({ option, ofShop }) => (ofShop ? [option] : [])))
  return Object.fromEntries(
    choices.flatMap((choice): [string, string][] => {
      const { option, default_id } = choice
      const value = answers[option] ?? ''
      return shop.has(option) && value !== '' && default_id !== null && !canBe(choice, default_id)
        ? [[option, value]]
        : []
    }),
  )
}

/** Returns the answers that determine which other choices are offered. */
export function decidingOf(answers: Answers): Partial<Record<(typeof deciding)[number], string>> {
  return Object.fromEntries(deciding.flatMap((name) => (answers[name] ? [[name, answers[name]]] : [])))
}

/** Options that determine which other choices are offered. */
export const deciding = [
  'marketplace_id',
  'category_id',
  'taxonomy_id',
  'condition',
  'fulfillment_policy_id',
  'shipping_profile_id',
] as const
