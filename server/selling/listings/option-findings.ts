import type { ListingChoice } from '#server/integrations/port.ts'
import type { Finding } from '#shared/contract/preflight.ts'
import type { CompletedOptions } from './complete-options.ts'
import { valuesOf } from './complete-options.ts'

/** Most values that a finding offers. */
const maxAllowed = 200
/** The adapter may have cut a list longer than this, so a value missing from it is not an error. */
const maxKnown = 2_000

/** Categories are found by search; the choices only suggest some. */
const searched = new Set(['category_id', 'taxonomy_id'])

const labels: Record<string, string> = {
  marketplace_id: 'eBay site',
  category_id: 'category',
  taxonomy_id: 'category',
  condition: 'condition',
  payment_policy_id: 'payment policy',
  fulfillment_policy_id: 'shipping policy',
  return_policy_id: 'return policy',
  shipping_profile_id: 'shipping profile',
  readiness_state_id: 'processing profile',
  who_made: 'who made it',
  when_made: 'when it was made',
  weight_grams: 'weight of the packed item',
  parcel_length_mm: 'length of the parcel',
  parcel_width_mm: 'width of the parcel',
  parcel_height_mm: 'height of the parcel',
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
        : `${platformName} needs the ${label}.`
      return [{ field, code: 'choice_required', message, blocking: true, allowed }]
    }
    const values = valuesOf(options, choice.option)
    if (values.length === 0) {
      if (choice.required || !choice.option.startsWith('aspects.')) return []
      const message = `${platformName} recommends the ${label}: buyers filter by it.`
      return [{ field, code: 'recommended', message, blocking: false, allowed }]
    }
    const isOpen = choice.free_text || searched.has(choice.option) || choice.values.length >= maxKnown
    if (isOpen || values.every((value) => choice.values.some(({ id }) => id === value))) return []
    const message = `${platformName} does not take this ${label}.`
    return [{ field, code: 'not_allowed', message, blocking: true, allowed }]
  })
}

function labelOf({ option, label }: ListingChoice): string {
  return label ?? labels[option] ?? option.replace(/^aspects\./, '')
}
