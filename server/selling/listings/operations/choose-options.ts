import { problem } from '#server/infra/errors.ts'
import { PlatformError } from '#server/integrations/errors.ts'
import type { ListingOptions } from '#shared/contract/selling/listings.ts'
import { type OAuthSlug, platformOf } from '#shared/platforms.ts'
import { examineListing } from '../preflight/examine-listing.ts'
import { type PublishableItem, publishRequest } from '../preflight/publish-request.ts'
import type { LeasedOperation } from './leased-operation.ts'

/** Shop policies and profiles may be this old when many items are listed at once. */
const choicesMaxAgeMs = 60_000

/** Most reasons that a refusal names. */
const maxReasons = 3

const prefix = 'options.'

/**
 * Completes the options of a list operation and stores them with it, so that every attempt sends the same. Throws
 * `choice_required` for missing options, or a refusal with the first findings of the preflight.
 */
export async function choose(leased: LeasedOperation, item: PublishableItem): Promise<ListingOptions> {
  const { operation } = leased
  if (operation.is_chosen) return operation.options
  const { findings, options } = await leased.onPlatform((port, access) =>
    examineListing(
      { port, access, platformName: platformOf(operation.platform).name },
      {
        given: operation.options,
        defaults: item.defaults ?? {},
        requestWith: (options) => publishRequest(operation, item, options),
        maxAgeMs: choicesMaxAgeMs,
      },
    ),
  )
  const blocking = findings.filter((finding) => finding.blocking)
  const names = blocking.filter(({ code }) => code === 'choice_required').map(({ field }) => field.slice(prefix.length))
  if (names.length > 0) throw problem('choice_required', choiceMessage(names), { errors: choiceErrors(names) })
  if (blocking.length > 0) {
    const reasons = blocking.slice(0, maxReasons).map(({ message }) => message)
    throw new PlatformError(operation.platform as OAuthSlug, 'refused', reasons.join(' '), {
      platformCode: 'preflight',
    })
  }
  await leased.storeChosenOptions(options)
  return options
}

const choiceMessage = (names: string[]) => `Choose ${names.join('; ')}.`

/** Reads the option names back from a `choice_required` message, which a failed operation stores as text. */
export const namesOfChoiceMessage = (message: string) =>
  message
    .replace(/^Choose /, '')
    .replace(/\.$/, '')
    .split('; ')

/** Returns a field error for each option to choose. */
export const choiceErrors = (names: string[]) =>
  names.map((name) => ({
    field: `${prefix}${name}`,
    code: 'choice_required',
    message: 'has to be chosen by the seller',
  }))
