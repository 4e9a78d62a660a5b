import type { AnswerCache } from '#server/integrations/answer-cache.ts'
import type { ListingChoice, ShopAccess } from '#server/integrations/port.ts'
import { languageOf, languagesOf } from '../marketplaces.ts'
import { hasFault, type Rest } from '../rest.ts'
import { FulfillmentPolicies, PaymentPolicies, ReturnPolicies } from './shop-wire.ts'

/** "Invalid {fieldName}": a marketplace without business policies, or a seller who does not use them. */
const invalidField = 20403

/** A seller's business policies on a site. */
export interface SellerPolicies {
  choices: ListingChoice[]
  /** The language of the site that the policies are in. */
  language: string
  /** The seller has business policies there. Listings without them name their own terms. */
  hasPolicies: boolean
  /** Ids of the shipping policies that calculate the price from weight and parcel size. */
  calculated: ReadonlySet<string>
}

/** Cache time for work that needs no choice of policies: whether there are any, and in which language. */
const languageMaxAgeMs = 3_600_000

/** Returns a seller's policies on a site, in the site's second language if there are none in the first. */
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
    if (usual.hasPolicies) return usual
    for (const language of others) {
      const found = await readPoliciesIn(rest, access, site, language)
      if (found.hasPolicies) return found
    }
    return usual
  })
}

/** Returns a seller's policies as they were within the last hour. */
export const policiesFor = (rest: Rest, access: ShopAccess, site: string, cache: AnswerCache) =>
  readPolicies(rest, access, site, cache, languageMaxAgeMs)

/** Returns the language in which a seller lists on a site: that of the policies where the site has two. */
export async function siteLanguage(rest: Rest, access: ShopAccess, site: string, cache: AnswerCache): Promise<string> {
  if (languagesOf(site).length === 1) return languageOf(site)
  return (await policiesFor(rest, access, site, cache)).language
}

async function readPoliciesIn(rest: Rest, access: ShopAccess, site: string, language: string): Promise<SellerPolicies> {
  const read = { method: 'GET', ...access, language } as const
  const path = (kind: string) => `/sell/account/v1/${kind}_policy?marketplace_id=${encodeURIComponent(site)}`
  const [payment, fulfillment, returns] = await Promise.all([
    rest({ ...read, call: 'the payment policies', path: path('payment'), schema: PaymentPolicies }),
    rest({ ...read, call: 'the shipping policies', path: path('fulfillment'), schema: FulfillmentPolicies }),
    rest({ ...read, call: 'the return policies', path: path('return'), schema: ReturnPolicies }),
  ]).catch((error: unknown) => {
    if (!hasFault(error, invalidField)) throw error
    return []
  })
  const choice = (option: string, policies: { id: string; policy: { name: string; categoryTypes?: unknown } }[]) => ({
    option,
    required: true,
    values: policies.map(({ id, policy }) => ({ id, name: policy.name || id, suggested: isDefault(policy) })),
  })
  const shipping = fulfillment?.fulfillmentPolicies ?? []
  const choices = [
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
  ]
  return {
    language,
    choices,
    hasPolicies: choices.some(({ values }) => values.length > 0),
    calculated: new Set(
      shipping
        .filter((policy) => (policy.shippingOptions ?? []).some(({ costType }) => costType === 'CALCULATED'))
        .map((policy) => policy.fulfillmentPolicyId),
    ),
  }
}

/** Returns true if the seller marked the policy as default in "My eBay". */
function isDefault({ categoryTypes }: { categoryTypes?: unknown }): boolean {
  return Array.isArray(categoryTypes) && categoryTypes.some((type: { default?: boolean }) => type.default === true)
}
