import { problem } from '#server/infra/errors.ts'
import { PlatformError } from '#server/integrations/errors.ts'
import type { ListingOptions } from '#shared/contract/listings.ts'
import { type OAuthSlug, platformOf } from '#shared/platforms.ts'
import { examineListing } from './examine-listing.ts'
import type { Hold } from './hold.ts'
import { type PublishableItem, publishRequest } from './publish-request.ts'

/** The shop's policies and profiles are not read again for each of many things that go up at once. */
const choicesMaxAgeMs = 60_000

/** Reasons that a refusal names. */
const maxReasons = 3

const prefix = 'options.'

/**
 * Completes the options of a listing intent and keeps them with it, so that every later attempt sends the same. Throws
 * what the preflight says of the listing: `choice_required` for missing options, else a refusal with its first reasons.
 */
export async function choose(hold: Hold, item: PublishableItem): Promise<ListingOptions> {
  const { intent } = hold
  if (intent.is_chosen) return intent.options
  await hold.pass('choose')
  const { findings, options } = await hold.onPlatform((port, access) =>
    examineListing(
      { port, access, platformName: platformOf(intent.platform).name },
      {
        given: intent.options,
        defaults: item.defaults ?? {},
        requestWith: (options) => publishRequest(intent, item, options),
        maxAgeMs: choicesMaxAgeMs,
      },
    ),
  )
  const blocking = findings.filter((finding) => finding.blocking)
  const names = blocking.filter(({ code }) => code === 'choice_required').map(({ field }) => field.slice(prefix.length))
  if (names.length > 0) throw problem('choice_required', choiceMessage(names), { errors: choiceErrors(names) })
  if (blocking.length > 0) {
    const reasons = blocking.slice(0, maxReasons).map(({ message }) => message)
    throw new PlatformError(intent.platform as OAuthSlug, 'refused', reasons.join(' '), { platformCode: 'preflight' })
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
    field: `${prefix}${name}`,
    code: 'choice_required',
    message: 'has to be chosen by the seller',
  }))
