import type { ListingPort, PublishRequest, ShopAccess } from '#server/integrations/port.ts'
import type { ListingOptions } from '#shared/contract/listings.ts'
import type { Fee, Finding } from '#shared/contract/preflight.ts'
import { completeOptions } from './complete-options.ts'
import { optionFindings } from './option-findings.ts'

export interface Examined {
  findings: Finding[]
  fees: Fee[]
  /** The options that the listing would be published with. */
  options: ListingOptions
}

/**
 * Examines a listing on its platform without publishing it. Completes the options as listing does, then collects what
 * the choices and the adapter find missing, refused or changed. Throws what the adapter throws.
 */
export async function examineListing(
  { port, access, platformName }: { port: ListingPort; access: ShopAccess; platformName: string },
  asked: {
    given: ListingOptions
    defaults: ListingOptions
    requestWith: (options: ListingOptions) => PublishRequest
    maxAgeMs: number
    mayLookUp?: () => boolean
  },
): Promise<Examined> {
  const { given, defaults, requestWith, maxAgeMs, mayLookUp } = asked
  const first = requestWith(completeOptions(given, defaults, []).options)
  const choices = await port.choices(access, first, { maxAgeMs, mayLookUp })
  const completed = completeOptions(given, defaults, choices)
  const request = requestWith(completed.options)
  return {
    findings: [...optionFindings(choices, completed, platformName), ...(await port.findings(access, request))],
    fees: port.fees(request),
    options: completed.options,
  }
}
