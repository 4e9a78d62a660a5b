import { problem } from '#server/http/errors.ts'
import type { ListingOptions } from '#shared/contract/listings.ts'
import { completeOptions } from './complete-options.ts'
import type { Hold } from './hold.ts'
import { type PublishableItem, publishRequest } from './publish-request.ts'

/** The shop's policies and profiles are not read again for each of many things that go up at once. */
const choicesMaxAgeMs = 60_000

/**
 * The complete options of a listing intent, asked of the platform once and kept with the intent, so that every later
 * attempt sends the same. Throws `choice_required`, naming what only the seller can choose.
 */
export async function choose(hold: Hold, item: PublishableItem): Promise<ListingOptions> {
  const { intent } = hold
  if (intent.is_chosen) return intent.options
  await hold.pass('choose')
  const known = completeOptions(intent.options, item.defaults ?? {}, []).options
  const choices = await hold.onPlatform((port, access) =>
    port.choices(access, publishRequest(intent, item, known), { maxAgeMs: choicesMaxAgeMs }),
  )
  const { options, missing } = completeOptions(intent.options, item.defaults ?? {}, choices)
  if (missing.length > 0) {
    const names = missing.map(({ option }) => option)
    throw problem('choice_required', choiceMessage(names), {
      errors: choiceErrors(names),
    })
  }
  await hold.keepChoices(options)
  return options
}

const choiceMessage = (names: string[]) => `Choose ${names.join('; ')}.`

/** The names of a `choice_required` message, as it is kept with a failed intent. */
export const namesOfChoiceMessage = (message: string) =>
  message
    .replace(/^Choose /, '')
    .replace(/\.$/, '')
    .split('; ')

/** Field errors that name what has to be chosen. */
export const choiceErrors = (names: string[]) =>
  names.map((name) => ({
    field: `options.${name}`,
    code: 'choice_required',
    message: 'has to be chosen by the seller',
  }))
