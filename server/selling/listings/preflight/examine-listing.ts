import type { ListingChoice, ListingPort, PublishRequest, ShopAccess } from '#server/integrations/port.ts'
import type { ListingOptions } from '#shared/contract/selling/listings.ts'
import type { Fee, Finding, Preflight } from '#shared/contract/selling/preflight.ts'
import { completeOptions, valuesOf } from './complete-options.ts'
import { optionFindings } from './option-findings.ts'

export interface Examined {
  findings: Finding[]
  fees: Fee[]
  /** The options that the listing would be published with. */
  options: ListingOptions
  /** Where the listing would go up. Null where it is not known. */
  category: ListedCategory | null
  /** Values that the item's texts name and nobody chose. */
  proposed: Preflight['proposed']
  /** Name of the platform's site: "eBay US". Null where the platform has only one. */
  marketplace: string | null
  /** Name of the shipping policy or profile. Null where none is chosen. */
  shipping: string | null
}

type ListedCategory = NonNullable<Preflight['category']>

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
    /** Whether to ask the platform itself about a listing in which nothing else is amiss. */
    verifies?: boolean
  },
): Promise<Examined> {
  const { given, defaults, requestWith, maxAgeMs, mayLookUp, verifies = false } = asked
  const first = requestWith(completeOptions(given, defaults, []).options)
  const choices = await port.choices(access, first, { maxAgeMs, mayLookUp })
  const completed = completeOptions(given, defaults, choices)
  const request = requestWith(completed.options)
  const own = await port.findings(access, request)
  // The adapter's word about an option is more exact than the general one.
  const general = optionFindings(choices, completed, platformName).filter(
    ({ field, code }) => !own.some((finding) => finding.field === field && finding.code === code),
  )
  const found = [...general, ...own]
  const isFit = verifies && !found.some(({ blocking }) => blocking)
  const verified = isFit ? await port.verify?.(access, request) : undefined
  return {
    findings: [...found, ...(verified?.findings ?? [])],
    fees: verified?.fees ?? (await port.fees(request, access, mayLookUp)),
    options: completed.options,
    category: categoryOf(choices, completed.options, { ...defaults, ...given }),
    proposed: proposedOf(choices, completed.options, { ...defaults, ...given }),
    marketplace: nameOf(choices, 'marketplace_id', completed.options.marketplace_id),
    shipping:
      nameOf(choices, 'fulfillment_policy_id', completed.options.fulfillment_policy_id) ??
      nameOf(choices, 'shipping_profile_id', completed.options.shipping_profile_id) ??
      termsOf(choices, completed.options),
  }
}

/** Returns the category of a listing. It is suggested if neither the request nor the seller's defaults name it. */
function categoryOf(
  choices: readonly ListingChoice[],
  options: ListingOptions,
  named: ListingOptions,
): ListedCategory | null {
  for (const option of ['category_id', 'taxonomy_id'] as const) {
    const id = options[option]
    if (id !== undefined) return { id, name: nameOf(choices, option, id), suggested: named[option] === undefined }
  }
  return null
}

/** Returns the values that a listing goes up with because a text of the item says them. */
function proposedOf(choices: readonly ListingChoice[], options: ListingOptions, named: ListingOptions) {
  return choices.flatMap(({ option, label, source, values }) => {
    const [id] = valuesOf(options, option)
    const proposed = values.find((value) => value.suggested && value.id === id)
    if (!source || !proposed || valuesOf(named, option).length > 0) return []
    return [{ option, ...(label ? { label } : {}), value: proposed.name, source }]
  })
}

/** Returns the terms of a listing without policies, in words. Null where none are offered or chosen. */
function termsOf(choices: readonly ListingChoice[], options: ListingOptions): string | null {
  const terms = (['shipping_service', 'shipping_cost', 'handling_days', 'returns_within'] as const).flatMap((name) => {
    const isOffered = choices.some(({ option }) => option === name)
    return isOffered && options[name] ? [nameOf(choices, name, options[name]) ?? options[name]] : []
  })
  return terms.length > 0 ? terms.join(', ') : null
}

function nameOf(choices: readonly ListingChoice[], option: string, id: string | undefined): string | null {
  const choice = choices.find((one) => one.option === option)
  return choice?.values.find((value) => value.id === id)?.name ?? null
}
