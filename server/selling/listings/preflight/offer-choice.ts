import type { ListingChoice } from '#server/integrations/port.ts'
import type { Choice, ListingOptions } from '#shared/contract/selling/listings.ts'
import { suggestedOf } from './complete-options.ts'

/** Returns a choice as the seller sees it, with the value that applies by default. */
export function offerChoice(choice: ListingChoice, defaults: ListingOptions): Choice {
  return { ...choice, free_text: choice.free_text ?? false, default_id: defaultOf(choice, defaults) }
}

function defaultOf(choice: ListingChoice, defaults: ListingOptions): string | null {
  const remembered = choice.option.startsWith('aspects.')
    ? defaults.aspects?.[choice.option.slice('aspects.'.length)]?.[0]
    : choice.option.startsWith('condition_descriptors.')
      ? defaults.condition_descriptors?.[choice.option.slice('condition_descriptors.'.length)]
      : defaults[choice.option as keyof ListingOptions]
  return typeof remembered === 'string' ? remembered : suggestedOf(choice)
}
