import type { AnswerCache } from '#server/integrations/answer-cache.ts'
import { isFailure, PlatformError } from '#server/integrations/errors.ts'
import type { ListingChoice, ShopAccess } from '#server/integrations/port.ts'
import { languageOf, languagesOf } from '../marketplaces.ts'
import { type EbayRefusal, hasFault, type Rest } from '../rest.ts'
import { FulfillmentPolicies, OptedInPrograms, PaymentPolicies, ReturnPolicies } from './offer-wire.ts'

/** "Invalid {fieldName}": a marketplace without policies, or a seller who has not opted in to them. */
const invalidField = 20403
/** The seller has already asked to opt in. */
const alreadyOptedIn = 25803

/** A seller's business policies on a site. */
export interface SellerPolicies {
  choices: ListingChoice[]
  /** The language of the site that the policies are in. */
  language: string
  /** Ids of the shipping policies that calculate the price from weight and parcel size. */
  calculated: ReadonlySet<string>
}

/** Cache time of the language in which a seller lists on a site. */
const languageMaxAgeMs = 3_600_000

/**
 * Returns a seller's policies on a site, in the site's second language if there are none in the first. Throws
 * PlatformError `refused` with the code `business_policies` if the seller has not opted in to them, because the Inventory
 * API cannot list without policies.
 */
export function readPolicies(
  rest: Rest,
  access: ShopAccess,
  site: string,
  cache: AnswerCache,
  maxAgeMs: number,
): Promise<SellerPolicies> {
  return cache.read(`${access.shop.external_id} ${site}`, maxAgeMs, async () => {
    const [first = languageOf(site), ...others] = languagesOf(site)
    const usual = await readPoliciesIn(rest, access, site, first)
    if (hasAny(usual)) return usual
    for (const language of others) {
      const found = await readPoliciesIn(rest, access, site, language)
      if (hasAny(found)) return found
    }
    return usual
  })
}

const hasAny = ({ choices }: SellerPolicies) => choices.some(({ values }) => values.length > 0)

/** Returns the language in which a seller lists on a site: that of the policies where the site has two. */
export async function siteLanguage(rest: Rest, access: ShopAccess, site: string, cache: AnswerCache): Promise<string> {
  if (languagesOf(site).length === 1) return languageOf(site)
  return (await readPolicies(rest, access, site, cache, languageMaxAgeMs)).language
}

async function readPoliciesIn(rest: Rest, access: ShopAccess, site: string, language: string): Promise<SellerPolicies> {
  const read = { method: 'GET', accessToken: access.accessToken, signal: access.signal, language } as const
  const path = (kind: string) => `/sell/account/v1/${kind}_policy?marketplace_id=${encodeURIComponent(site)}`
  const [payment, fulfillment, returns] = await Promise.all([
    rest({ ...read, call: 'the payment policies', path: path('payment'), schema: PaymentPolicies }),
    rest({ ...read, call: 'the shipping policies', path: path('fulfillment'), schema: FulfillmentPolicies }),
    rest({ ...read, call: 'the return policies', path: path('return'), schema: ReturnPolicies }),
  ]).catch(async (error: unknown) => {
    if (!hasFault(error, invalidField)) throw error
    throw (await isOptedIn(rest, access, error)) ? policiesRefused(site, error) : businessPoliciesNeeded(error)
  })
  const choice = (option: string, policies: { id: string; policy: { name: string; categoryTypes?: unknown } }[]) => ({
    option,
    required: true,
    values: policies.map(({ id, policy }) => ({ id, name: policy.name || id, suggested: isDefault(policy) })),
  })
  const shipping = fulfillment?.fulfillmentPolicies ?? []
  return {
    language,
    choices: [
      choice(
        'payment_policy_id',
        (payment?.paymentPolicies ?? []).map((policy) => ({ id: policy.paymentPolicyId, policy })),
      ),
      choice(
        'fulfillment_policy_id',
        shipping.map((policy) => ({ id: policy.fulfillmentPolicyId, policy })),
      ),
      choice(
        'return_policy_id',
        (returns?.returnPolicies ?? []).map((policy) => ({ id: policy.returnPolicyId, policy })),
      ),
    ],
    calculated: new Set(
      shipping
        .filter((policy) => (policy.shippingOptions ?? []).some(({ costType }) => costType === 'CALCULATED'))
        .map((policy) => policy.fulfillmentPolicyId),
    ),
  }
}

/** Opts the seller in to business policies, which takes eBay up to 24 hours. Repeating it changes nothing. */
export async function optInToPolicies(rest: Rest, access: ShopAccess): Promise<void> {
  await rest({
    call: 'the opt-in to business policies',
    method: 'POST',
    path: '/sell/account/v1/program/opt_in',
    accessToken: access.accessToken,
    signal: access.signal,
    body: { programType: 'SELLING_POLICY_MANAGEMENT' },
  }).catch((error: unknown) => {
    if (!hasFault(error, alreadyOptedIn)) throw error
  })
}

/**
 * Returns whether a refusal of policies has another reason than that the seller has not opted in: eBay names the
 * marketplace, or shows the opt-in. Where it cannot be asked, its words decide.
 */
async function isOptedIn(rest: Rest, access: ShopAccess, refusal: EbayRefusal): Promise<boolean> {
  const faults = refusal.faults.filter(({ errorId }) => errorId === invalidField)
  const texts = faults.flatMap(({ message = '', longMessage, parameters }) => [
    ...[message, longMessage ?? ''],
    ...(parameters ?? []).map(({ name }) => name),
  ])
  const saysSo = texts.some((text) => /eligible for business polic/i.test(text))
  if (!saysSo && texts.some((text) => /market_?place/i.test(text))) return true
  try {
    const answer = await rest({
      call: 'the programs of the seller',
      method: 'GET',
      path: '/sell/account/v1/program/get_opted_in_programs',
      accessToken: access.accessToken,
      signal: access.signal,
      schema: OptedInPrograms,
    })
    return (answer?.programs ?? []).some(({ programType }) => programType === 'SELLING_POLICY_MANAGEMENT')
  } catch (error) {
    if (!isFailure(error, 'refused') && !isFailure(error, 'not_found')) throw error
    return !saysSo
  }
}

function policiesRefused(site: string, cause: EbayRefusal): PlatformError {
  const message = `eBay shows no business policies for ${site}. Choose another eBay site. ${cause.message}`
  return new PlatformError('ebay', 'refused', message, { platformCode: String(invalidField), cause })
}

export function businessPoliciesNeeded(cause?: unknown): PlatformError {
  const message =
    "Your eBay account does not use eBay's business policies yet, and listing through Hapax needs them. Turn them on: eBay takes up to 24 hours."
  return new PlatformError('ebay', 'refused', message, { platformCode: 'business_policies', cause })
}

/** Returns true if the seller marked the policy as default in "My eBay". */
function isDefault({ categoryTypes }: { categoryTypes?: unknown }): boolean {
  return Array.isArray(categoryTypes) && categoryTypes.some((type: { default?: boolean }) => type.default === true)
}
