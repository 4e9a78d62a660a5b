import type { ListingChoice } from '#server/integrations/port.ts'
import type { Finding } from '#shared/contract/selling/preflight.ts'
import type { CompletedOptions } from './complete-options.ts'
import { categoryOptions, valuesOf } from './complete-options.ts'

/** Most values that a finding offers. */
const maxAllowed = 200
/** The adapter may have cut a list longer than this, so a value missing from it is not an error. */
const maxKnown = 2_000

const labels: Record<string, string> = {
  marketplace_id: 'eBay site',
  category_id: 'category',
  taxonomy_id: 'category',
  condition: 'condition',
  payment_policy_id: 'payment policy',
  fulfillment_policy_id: 'shipping policy',
  return_policy_id: 'return policy',
  shipping_service: 'shipping service',
  shipping_cost: 'shipping price',
  handling_days: 'time until it is sent',
  returns_within: 'time for returns',
  shipping_profile_id: 'shipping profile',
  readiness_state_id: 'processing profile',
  who_made: 'maker',
  when_made: 'time it was made',
  is_supply: 'kind of product',
  production_partner_ids: 'production partner',
  weight_grams: 'weight of the packed item',
  parcel_length_mm: 'length of the parcel',
  parcel_width_mm: 'width of the parcel',
  parcel_height_mm: 'height of the parcel',
}

/** Requests for missing options. Those that are not here are the platform's own, with its label. */
const requests: Record<string, string> = {
  marketplace_id: 'Choose an eBay site.',
  category_id: 'Choose a category.',
  taxonomy_id: 'Choose a category.',
  condition: 'Choose a condition.',
  payment_policy_id: 'Choose a payment policy.',
  fulfillment_policy_id: 'Choose a shipping policy.',
  return_policy_id: 'Choose a return policy.',
  shipping_service: 'Choose a shipping service.',
  shipping_cost: 'Enter what the buyer pays for shipping.',
  handling_days: 'Choose how soon you send it.',
  returns_within: 'Choose whether it can be returned.',
  shipping_profile_id: 'Choose a shipping profile.',
  readiness_state_id: 'Choose a processing profile.',
  who_made: 'Say who made it.',
  when_made: 'Say when it was made.',
  weight_grams: 'Enter the weight of the packed item.',
  parcel_length_mm: 'Enter the length of the parcel.',
  parcel_width_mm: 'Enter the width of the parcel.',
  parcel_height_mm: 'Enter the height of the parcel.',
}

/** Options that the shop itself defines. An empty list means that there are none yet. */
const ofShop = /_(policy|profile|state)_id$/

/** Returns the findings about a listing's options: missing, not allowed, or worth adding. Pure. */
export function optionFindings(
  choices: readonly ListingChoice[],
  { options, missing }: CompletedOptions,
  platformName: string,
): Finding[] {
  return choices.flatMap((choice): Finding[] => {
    const field = `options.${choice.option}`
    const label = labelOf(choice)
    const allowed = choice.values.slice(0, maxAllowed).map(({ id, name }) => ({ id, name }))
    if (missing.includes(choice) && choice.unread) {
      const message = `${platformName} was not asked for the ${label}. Check this item alone.`
      return [{ field, code: 'not_checked', message, blocking: false }]
    }
    if (missing.includes(choice)) {
      const isEmpty = ofShop.test(choice.option) && choice.values.length === 0
      const message = isEmpty
        ? `Your shop has no ${label} yet. Make one on ${platformName} first.`
        : requestOf(choice, label)
      const link = isEmpty && choice.link ? { link: choice.link } : {}
      return [{ field, code: 'choice_required', message, blocking: true, allowed, ...link }]
    }
    const values = valuesOf(options, choice.option)
    if (values.length === 0) {
      if (choice.required || !choice.option.startsWith('aspects.')) return []
      const message = `${platformName} recommends the ${label}: buyers filter by it.`
      return [{ field, code: 'recommended', message, blocking: false, allowed }]
    }
    const isOpen = choice.free_text || categoryOptions.has(choice.option) || choice.values.length >= maxKnown
    if (isOpen || values.every((value) => choice.values.some(({ id }) => id === value))) return []
    const message = `${platformName} does not take this ${label}.`
    return [{ field, code: 'not_allowed', message, blocking: true, allowed }]
  })
}

function labelOf({ option, label }: Pick<ListingChoice, 'option' | 'label'>): string {
  return label ?? labels[option] ?? option.replace(/^aspects\./, '')
}

/** Returns the sentence that asks for a missing option: "Choose a shipping policy.", "Fill in “Brand”." */
function requestOf({ option, values, free_text }: ListingChoice, label: string): string {
  // The platform suggested categories, and none of them was taken.
  if (categoryOptions.has(option) && values.length > 0)
    return 'Choose a category. Those suggested may not fit the title.'
  return requests[option] ?? (free_text ? `Fill in “${label}”.` : `Choose “${label}”.`)
}

/** Returns the sentences that ask for options of which only the names are known: "Choose a category. Choose “Brand”." */
export function requestsFor(names: readonly string[]): string {
  const requestFor = (option: string) => {
    if (option.startsWith('condition_descriptors.')) return 'Describe the condition.'
    if (/^(isbn|ean|upc|mpn)$/.test(option)) return `Fill in the ${option.toUpperCase()}.`
    return requests[option] ?? `Choose “${labelOf({ option }).replace(/_id$/, '').replaceAll('_', ' ')}”.`
  }
  return [...new Set(names.map(requestFor))].join(' ')
}
