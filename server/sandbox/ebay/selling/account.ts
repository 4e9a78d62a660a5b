import { json, type SandboxResponse } from '#server/sandbox/kit/http.ts'
import { text } from './body.ts'
import type { Operation, SellingContext } from './operation.ts'

const dayMs = 86_400_000

const accountFault = (status: number, errorId: number, message: string): SandboxResponse =>
  json({ errors: [{ errorId, domain: 'API_ACCOUNT', category: 'REQUEST', message }] }, status)

/** The Account API: business policies, and the opt-in to them. */
export const accountOperations: Operation[] = [
  ...(['payment', 'fulfillment', 'return'] as const).map(
    (kind): Operation => ({
      id: `get${kind[0]?.toUpperCase()}${kind.slice(1)}Policies`,
      method: 'GET',
      pattern: new RegExp(`^/sell/account/v1/${kind}_policy$`),
      scope: 'sell.account',
      answer(shop, { request, seller }) {
        const site = request.query.get('marketplace_id') ?? ''
        if (!/^EBAY_[A-Z]{2}$/.test(site)) return accountFault(400, 20401, 'Missing field marketplaceId.')
        if (!hasPolicies(shop, seller)) return accountFault(400, 20403, 'User is not eligible for Business Policy.')
        const policies = policiesOf(seller, site)[kind]
        return json({ total: policies.length, [`${kind}Policies`]: policies })
      },
    }),
  ),
  {
    id: 'optInToProgram',
    method: 'POST',
    pattern: /^\/sell\/account\/v1\/program\/opt_in$/,
    scope: 'sell.account',
    answer(shop, { seller, body }) {
      if (text(body.programType) !== 'SELLING_POLICY_MANAGEMENT') {
        return accountFault(400, 20401, 'Missing field programType.')
      }
      if (hasPolicies(shop, seller) || shop.offers.optedInAt(seller) !== null) {
        return accountFault(409, 25803, 'programType already exists.')
      }
      shop.offers.optIn(seller)
      return json({})
    },
  },
]

/** Whether a seller uses business policies. Names that begin with "no_policies" do so only a day after opting in. */
function hasPolicies(shop: SellingContext, seller: string): boolean {
  if (!seller.startsWith('no_policies')) return true
  const at = shop.offers.optedInAt(seller)
  return at !== null && shop.clock().getTime() - at >= dayMs
}

/** Returns a seller's policies on a site. Sellers named "calculated…" have calculated shipping. */
export function policiesOf(seller: string, marketplaceId: string) {
  const number = [...seller].reduce((sum, character) => (sum * 31 + character.charCodeAt(0)) % 1_000_000, 7)
  const id = (kind: number, index: number) => String(285_000_000_000 + number * 100 + kind * 10 + index)
  const common = (name: string, isDefault: boolean) => ({
    name,
    marketplaceId,
    categoryTypes: [{ name: 'ALL_EXCLUDING_MOTORS_VEHICLES', default: isDefault }],
  })
  const shipping = (costType: 'FLAT_RATE' | 'CALCULATED') => ({
    shippingOptions: [{ optionType: 'DOMESTIC', costType }],
  })
  if (marketplaceId !== 'EBAY_US') return { payment: [], fulfillment: [], return: [] }
  const isCalculated = seller.startsWith('calculated')
  return {
    payment: [{ ...common('Paid at once', true), paymentPolicyId: id(1, 1) }],
    fulfillment: [
      {
        ...common('USPS Ground', true),
        ...shipping(isCalculated ? 'CALCULATED' : 'FLAT_RATE'),
        fulfillmentPolicyId: id(2, 1),
      },
      { ...common('Freight', false), ...shipping('FLAT_RATE'), fulfillmentPolicyId: id(2, 2) },
    ],
    return: [{ ...common('30 days', true), returnPolicyId: id(3, 1) }],
  }
}
