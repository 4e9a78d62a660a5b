import { json, type SandboxResponse } from '#server/sandbox/kit/http.ts'
import type { Operation } from './operation.ts'
import { hasPolicies, isMarketplace, type SandboxSite, siteOf } from './sites.ts'

const accountFault = (status: number, errorId: number, message: string, more: object = {}): SandboxResponse =>
  json({ errors: [{ errorId, domain: 'API_ACCOUNT', category: 'REQUEST', message, ...more }] }, status)

/** The Account API: business policies. */
export const accountOperations: Operation[] = [
  ...(['payment', 'fulfillment', 'return'] as const).map(
    (kind): Operation => ({
      id: `get${kind[0]?.toUpperCase()}${kind.slice(1)}Policies`,
      method: 'GET',
      pattern: new RegExp(`^/sell/account/v1/${kind}_policy$`),
      scope: 'sell.account',
      answer(_shop, { request, seller }) {
        const site = request.query.get('marketplace_id') ?? ''
        if (site === '') return accountFault(400, 20401, 'Missing field marketplaceId.')
        // Of these two refusals eBay gives the same id, and only here a parameter.
        if (!hasPolicies(site)) {
          const why = isMarketplace(site) ? 'Business policies do not exist there.' : 'It is no marketplace.'
          const parameters = [{ name: 'marketplaceId', value: site }]
          return accountFault(400, 20403, `Invalid marketplaceId. ${why}`, { parameters })
        }
        if (!isOptedIn(seller)) {
          return accountFault(400, 20403, 'Invalid .', { longMessage: 'User is not eligible for Business Policy.' })
        }
        const policies = policiesOf(seller, siteOf(site, request.header('content-language')))[kind]
        return json({ total: policies.length, [`${kind}Policies`]: policies })
      },
    }),
  ),
]

/** Whether a seller uses business policies. Names that begin with "no_policies" do not. */
const isOptedIn = (seller: string) => !seller.startsWith('no_policies')

/**
 * Returns a seller's policies on a site; none on a site that the sandbox does not speak for. Sellers named "calculated…"
 * have calculated shipping. In Canada those named "quebec…" have policies in French alone, and the others in English.
 */
export function policiesOf(seller: string, site: SandboxSite | undefined) {
  const canadian = seller.startsWith('quebec') ? 'fr-CA' : 'en-CA'
  if (!site || (site.marketplaceId === 'EBAY_CA' && site.language !== canadian)) {
    return { payment: [], fulfillment: [], return: [] }
  }
  const { marketplaceId, tree, language } = site
  const number = [...seller].reduce((sum, character) => (sum * 31 + character.charCodeAt(0)) % 1_000_000, 7)
  const id = (kind: number, index: number) =>
    String(285_000_000_000 + Number(tree) * 1_000_000_000 + number * 100 + kind * 10 + index)
  const common = (name: string, isDefault: boolean) => ({
    name,
    marketplaceId,
    categoryTypes: [{ name: 'ALL_EXCLUDING_MOTORS_VEHICLES', default: isDefault }],
  })
  const shipping = (costType: 'FLAT_RATE' | 'CALCULATED') => ({
    shippingOptions: [{ optionType: 'DOMESTIC', costType }],
  })
  const isCalculated = seller.startsWith('calculated')
  const names = policyNames[language] ?? policyNames['en-US']!
  return {
    payment: [{ ...common(names[0], true), paymentPolicyId: id(1, 1) }],
    fulfillment: [
      {
        ...common(names[1], true),
        ...shipping(isCalculated ? 'CALCULATED' : 'FLAT_RATE'),
        fulfillmentPolicyId: id(2, 1),
      },
      { ...common(names[2], false), ...shipping('FLAT_RATE'), fulfillmentPolicyId: id(2, 2) },
    ],
    return: [{ ...common(names[3], true), returnPolicyId: id(3, 1) }],
  }
}

/** Names of a seller's policies for payment, shipping, bulky goods and returns, by language. */
const policyNames: Record<string, [string, string, string, string]> = {
  'en-US': ['Paid at once', 'USPS Ground', 'Freight', '30 days'],
  'en-GB': ['Paid at once', 'Royal Mail Tracked 48', 'Freight', '30 days'],
  'en-CA': ['Paid at once', 'Canada Post Regular Parcel', 'Freight', '30 days'],
  'fr-CA': ['Paiement immédiat', 'Postes Canada, colis standard', 'Fret', '30 jours'],
  'de-DE': ['Sofortzahlung', 'DHL Paket', 'Spedition', '30 Tage'],
}
