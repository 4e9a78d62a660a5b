import { json, type SandboxResponse } from '#server/sandbox/kit/http.ts'
import { noContent } from './faults.ts'
import type { Operation } from './operation.ts'
import { categoryOf, isMarketplace, siteOf, siteOfTree, suggestCategories } from './sites.ts'

/** The Taxonomy API. */
export const taxonomyOperations: Operation[] = [
  {
    id: 'getDefaultCategoryTreeId',
    method: 'GET',
    pattern: /^\/commerce\/taxonomy\/v1\/get_default_category_tree_id$/,
    scope: null,
    answer(_shop, { request }) {
      const marketplaceId = request.query.get('marketplace_id') ?? ''
      if (marketplaceId === '') return taxonomyFault(62002, 'Missing marketplace ID.')
      const site = siteOf(marketplaceId, request.header('accept-language'))
      if (!site && !isMarketplace(marketplaceId))
        return taxonomyFault(62003, 'The specified marketplace ID was not found.')
      return json({ categoryTreeId: site?.tree ?? '0', categoryTreeVersion: '133' })
    },
  },
  {
    id: 'getCategorySuggestions',
    method: 'GET',
    pattern: /^\/commerce\/taxonomy\/v1\/category_tree\/(?<tree>[^/]+)\/get_category_suggestions$/,
    scope: null,
    answer(_shop, { request, parts: { tree = '' } }) {
      const site = siteOfTree(tree)
      if (!site) return taxonomyFault(62004, 'The specified category tree ID was not found.')
      const title = request.query.get('q') ?? ''
      if (title === '') return taxonomyFault(62007, "The 'q' query parameter is missing.")
      const suggestions = suggestCategories(site, title).map(({ id, path }) => ({
        category: { categoryId: id, categoryName: path.at(-1) },
        categoryTreeNodeLevel: path.length,
        categoryTreeNodeAncestors: path
          .slice(0, -1)
          .map((categoryName, index) => ({
            categoryId: `${id}${index}`,
            categoryName,
            categoryTreeNodeLevel: index + 1,
            categorySubtreeNodeHref: `https://api.ebay.com/commerce/taxonomy/v1/category_tree/${tree}/get_category_subtree?category_id=${id}${index}`,
          }))
          .reverse(),
        relevancy: 'HIGH',
      }))
      return json({ categorySuggestions: suggestions, categoryTreeId: tree, categoryTreeVersion: '133' })
    },
  },
  {
    id: 'getItemAspectsForCategory',
    method: 'GET',
    pattern: /^\/commerce\/taxonomy\/v1\/category_tree\/(?<tree>[^/]+)\/get_item_aspects_for_category$/,
    scope: null,
    answer(_shop, { request, parts: { tree = '' } }) {
      const site = siteOfTree(tree)
      if (!site) return taxonomyFault(62004, 'The specified category tree ID was not found.')
      const category = categoryOf(site, request.query.get('category_id') ?? '')
      if (!category)
        return taxonomyFault(62005, 'The specified category ID does not belong to specified category tree.')
      const aspects = category.aspects.map(
        ({ name, required, recommended, mode, values, data, maxLength = 65, many }) => ({
          localizedAspectName: name,
          aspectConstraint: {
            aspectDataType: data?.type ?? 'STRING',
            ...(data ? { aspectFormat: data.format } : {}),
            aspectMaxLength: maxLength,
            itemToAspectCardinality: many ? 'MULTI' : 'SINGLE',
            aspectMode: mode,
            aspectRequired: required,
            aspectUsage: required || recommended ? 'RECOMMENDED' : 'OPTIONAL',
            aspectEnabledForVariations: false,
            aspectApplicableTo: ['PRODUCT'],
          },
          aspectValues: values.map((localizedValue) => ({ localizedValue })),
        }),
      )
      return aspects.length > 0 ? json({ aspects }) : noContent
    },
  },
]

function taxonomyFault(errorId: number, message: string): SandboxResponse {
  return json({ errors: [{ errorId, domain: 'API_TAXONOMY', category: 'REQUEST', message }] }, 400)
}
