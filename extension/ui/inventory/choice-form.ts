import type { Choice, ListingOptions } from '#shared/contract/listings.ts'
import { detailOptions } from '#shared/detail-options.ts'

/** What is chosen, by the name of its option; nothing chosen is left out or ''. */
export type Answers = Readonly<Record<string, string>>

/** A choice as a form asks for it. */
export interface ChoiceField {
  option: string
  kind: 'category' | 'text' | 'select'
  required: boolean
  /** What is suggested first. */
  values: Choice['values']
  /** Chosen for the shop, and not for this thing. */
  ofShop: boolean
  /** The marketplace's own words for it, where it has some. */
  label?: string | undefined
}

const categories = ['category_id', 'taxonomy_id']

/** What one thing is, beside its aspects; all else is of the shop. */
const ofThing: readonly string[] = [...categories, 'condition', 'who_made', 'when_made', ...detailOptions]

const aspect = 'aspects.'
const descriptor = 'condition_descriptors.'

/** The fields of choices, in their order. */
export function fieldsOf(choices: readonly Choice[]): ChoiceField[] {
  return choices.map(({ option, required, values, free_text, label }) => ({
    option,
    kind: categories.includes(option) ? 'category' : free_text ? 'text' : 'select',
    required,
    values: [...values].sort((one, other) => Number(other.suggested ?? false) - Number(one.suggested ?? false)),
    ofShop: !ofThing.includes(option) && !option.startsWith(aspect) && !option.startsWith(descriptor),
    label,
  }))
}

/**
 * What stands in the form: what the seller gave, where it can still be chosen (another category asks for other things), else
 * what is taken when they say nothing.
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

/** A category may be one that was searched for; what was remembered of a shop may have gone there. */
function canBe(choice: Choice, value: string): boolean {
  return choice.free_text || categories.includes(choice.option) || choice.values.some(({ id }) => id === value)
}

/** Options that have to be chosen and are not. */
export function missingOf(choices: readonly Choice[], answers: Answers): string[] {
  return choices
    .filter(({ option, required }) => required && (answers[option] ?? '').trim() === '')
    .map(({ option }) => option)
}

/** What is listed with. */
export function optionsOf(choices: readonly Choice[], answers: Answers): ListingOptions {
  const options: Record<string, string> = {}
  const aspects: Record<string, string[]> = {}
  const descriptors: Record<string, string> = {}
  for (const { option } of choices) {
    const value = (answers[option] ?? '').trim()
    if (value === '') continue
    if (option.startsWith(aspect)) aspects[option.slice(aspect.length)] = [value]
    else if (option.startsWith(descriptor)) descriptors[option.slice(descriptor.length)] = value
    else options[option] = value
  }
  return {
    ...options,
    ...(Object.keys(aspects).length > 0 ? { aspects } : {}),
    ...(Object.keys(descriptors).length > 0 ? { condition_descriptors: descriptors } : {}),
  }
}

/**
 * What is chosen for the shop in place of a default that has gone on the platform: it is the default from now on. Not on
 * another site than the seller's usual one, which has policies of its own.
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

/** What other choices hang on, of what is chosen. */
export function decidingOf(answers: Answers): Partial<Record<(typeof deciding)[number], string>> {
  return Object.fromEntries(deciding.flatMap((name) => (answers[name] ? [[name, answers[name]]] : [])))
}

/** Other choices hang on these. */
export const deciding = [
  'marketplace_id',
  'category_id',
  'condition',
  'fulfillment_policy_id',
  'shipping_profile_id',
] as const
