import { json } from '#server/sandbox/kit/http.ts'
import type { SandboxDescriptor } from '../categories.ts'
import { fault } from './faults.ts'
import type { Operation } from './operation.ts'
import { categoriesOf, siteOf } from './sites.ts'

/** The least price of a fixed-price listing on each site; the amount is made up. */
export const leastPrice = '0.99'

/** The Metadata API: conditions by category, and the least prices of a site. */
export const metadataOperations: Operation[] = [
  {
    // developer.ebay.com/api-docs/sell/metadata/resources/marketplace/methods/getMinimumListingPricePolicies
    id: 'getMinimumListingPricePolicies',
    method: 'GET',
    pattern: /^\/sell\/metadata\/v1\/marketplace\/(?<site>[^/]+)\/get_minimum_listing_price_policies$/,
    scope: 'sell.inventory',
    isOpen: true,
    answer(_shop, { parts }) {
      const site = siteOf(parts.site ?? '')
      if (!site) return fault(404, 62001, 'The marketplace ID is not known.')
      const startPrice = { currency: site.currency, value: leastPrice }
      return json({
        minimumListingPricePolicies: [
          { listingType: 'AUCTION', description: 'Auctions', minBuyItNowPricePercent: '30', startPrice },
          { listingType: 'FIXED_PRICE_ITEM', description: 'Fixed prices', startPrice },
        ],
      })
    },
  },
  {
    id: 'getItemConditionPolicies',
    method: 'GET',
    pattern: /^\/sell\/metadata\/v1\/marketplace\/(?<site>[^/]+)\/get_item_condition_policies$/,
    scope: 'sell.inventory',
    isOpen: true,
    answer(_shop, { request, parts }) {
      const site = siteOf(parts.site ?? '', request.header('accept-language'))
      if (!site) return fault(404, 62001, 'The marketplace ID is not known.')
      const filter = request.query.get('filter')
      const ids = filter === null ? null : /^categoryIds:\{(\d+(?:\|\d+)*)\}$/.exec(filter)?.[1]?.split('|')
      if (ids === undefined || (ids?.length ?? 0) > 50) return fault(400, 62005, 'The filter is invalid.')
      const wanted = categoriesOf(site).filter(({ id }) => ids === null || ids.includes(id))
      if (wanted.length === 0) return fault(400, 62004, 'The category ID is not a leaf category.')
      return json({
        itemConditionPolicies: wanted.map((category) => ({
          categoryTreeId: site.tree,
          categoryId: category.id,
          itemConditionRequired: true,
          itemConditions: category.conditions.map(({ id, name, descriptors }) => ({
            conditionId: String(id),
            conditionDescription: name,
            ...(descriptors ? { conditionDescriptors: descriptors.map(shown) } : {}),
          })),
        })),
      })
    },
  },
]

const shown = ({ id, name, isRequired, isFree, values }: SandboxDescriptor) => ({
  conditionDescriptorId: id,
  conditionDescriptorName: name,
  conditionDescriptorConstraint: {
    cardinality: 'SINGLE',
    mode: isFree ? 'FREE_TEXT' : 'SELECTION_ONLY',
    ...(isRequired ? { usage: 'REQUIRED' } : {}),
    ...(isFree ? { maxLength: 30 } : {}),
  },
  ...(isFree
    ? {}
    : {
        conditionDescriptorValues: values.map((value) => ({
          conditionDescriptorValueId: value.id,
          conditionDescriptorValueName: value.name,
        })),
      }),
})
