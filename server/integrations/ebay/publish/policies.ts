import { PlatformError } from '#server/integrations/errors.ts'
import type { ListingChoice, ShopAccess } from '#server/integrations/port.ts'
import { languageOf } from '../marketplaces.ts'
import { hasFault, type Rest } from '../rest.ts'
import { FulfillmentPolicies, PaymentPolicies, ReturnPolicies } from './offer-wire.ts'

/** "User is not eligible for Business Policy": the seller has not opted in to business policies. */
const notOptedIn = 20403
/** The seller has already asked to opt in. */
const alreadyOptedIn = 25803

/** A seller's business policies on a site. */
export interface SellerPolicies {
  choices: ListingChoice[]
  /** Ids of the shipping policies that calculate the price from weight and parcel size. */
  calculated: ReadonlySet<string>
}

/**
 * Returns a seller's policies on a site. Throws PlatformError `refused` with the code `business_policies` if the seller
 * has not opted in to them, because the Inventory API cannot list without policies.
 */
export async function readPolicies(rest: Rest, access: ShopAccess, site: string): Promise<SellerPolicies> {
  const read = {
    method: 'GET',
    accessToken: access.accessToken,
    signal: access.signal,
    language: languageOf(site),
  } as const
  const path = (kind: string) => `/sell/account/v1/${kind}_policy?marketplace_id=${encodeURIComponent(site)}`
  const [payment, fulfillment, returns] = await Promise.all([
    rest({ ...read, call: 'the payment policies', path: path('payment'), schema: PaymentPolicies }),
    rest({ ...read, call: 'the shipping policies', path: path('fulfillment'), schema: FulfillmentPolicies }),
    rest({ ...read, call: 'the return policies', path: path('return'), schema: ReturnPolicies }),
  ]).catch((error: unknown) => {
    throw hasFault(error, notOptedIn) ? businessPoliciesNeeded(error) : error
  })
  const choice = (option: string, policies: { id: string; policy: { name: string; categoryTypes?: unknown } }[]) => ({
    option,
    required: true,
    values: policies.map(({ id, policy }) => ({ id, name: policy.name || id, suggested: isDefault(policy) })),
  })
  const shipping = fulfillment?.fulfillmentPolicies ?? []
  return {
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

export function businessPoliciesNeeded(cause?: unknown): PlatformError {
  const message =
    "Your eBay account does not use eBay's business policies yet, and listing through Hapax needs them. Turn them on: eBay takes up to 24 hours."
  return new PlatformError('ebay', 'refused', message, { platformCode: 'business_policies', cause })
}

/** Returns true if the seller marked the policy as default in "My eBay". */
function isDefault({ categoryTypes }: { categoryTypes?: unknown }): boolean {
  return Array.isArray(categoryTypes) && categoryTypes.some((type: { default?: boolean }) => type.default === true)
}
