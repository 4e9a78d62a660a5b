import { json } from '../../../fake/answer.ts'
import type { Operation } from './operation.ts'

/** The Account API: the seller's policies. */
export const accountOperations: Operation[] = (['payment', 'fulfillment', 'return'] as const).map(
  (kind): Operation => ({
    id: `get${kind[0]?.toUpperCase()}${kind.slice(1)}Policies`,
    method: 'GET',
    pattern: new RegExp(`^/sell/account/v1/${kind}_policy$`),
    scope: 'sell.account',
    answer(_shop, { request, seller }) {
      const site = request.query.get('marketplace_id') ?? ''
      if (!/^EBAY_[A-Z]{2}$/.test(site)) {
        const error = {
          errorId: 20403,
          domain: 'API_ACCOUNT',
          category: 'REQUEST',
          message: 'Invalid marketplaceId.',
        }
        return json({ errors: [error] }, 400)
      }
      const policies = policiesOf(seller, site)[kind]
      return json({ total: policies.length, [`${kind === 'return' ? 'return' : kind}Policies`]: policies })
    },
  }),
)

/** A seller's policies on a site; sellers without any have not opted in to business policies. */
export function policiesOf(seller: string, marketplaceId: string) {
  const number = [...seller].reduce((sum, character) => (sum * 31 + character.charCodeAt(0)) % 1_000_000, 7)
  const id = (kind: number, index: number) => String(285_000_000_000 + number * 100 + kind * 10 + index)
  const common = (name: string, isDefault: boolean) => ({
    name,
    marketplaceId,
    categoryTypes: [{ name: 'ALL_EXCLUDING_MOTORS_VEHICLES', default: isDefault }],
  })
  const none = seller.startsWith('no_policies') || marketplaceId !== 'EBAY_US'
  if (none) return { payment: [], fulfillment: [], return: [] }
  return {
    payment: [{ ...common('Paid at once', true), paymentPolicyId: id(1, 1) }],
    fulfillment: [
      { ...common('USPS Ground', true), fulfillmentPolicyId: id(2, 1) },
      { ...common('Freight', false), fulfillmentPolicyId: id(2, 2) },
    ],
    return: [{ ...common('30 days', true), returnPolicyId: id(3, 1) }],
  }
}
