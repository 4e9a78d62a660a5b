import { json, type SandboxResponse } from '#server/sandbox/kit/http.ts'
import { categoryOf, suggestCategories } from '../categories.ts'
import { noContent } from './faults.ts'
import type { Operation } from './operation.ts'

/** The Taxonomy API. */
export const taxonomyOperations: Operation[] = [
  {
    id: 'getDefaultCategoryTreeId',
    method: 'GET',
    pattern: /^\/commerce\/taxonomy\/v1\/get_default_category_tree_id$/,
    scope: null,
    answer: () => json({ categoryTreeId: '0', categoryTreeVersion: '133' }),
  },
  {
    id: 'getCategorySuggestions',
    method: 'GET',
    pattern: /^\/commerce\/taxonomy\/v1\/category_tree\/(?<tree>[^/]+)\/get_category_suggestions$/,
    scope: null,
    answer(_shop, { request }) {
      const title = request.query.get('q') ?? ''
      if (title === '') return taxonomyFault(62007, "The 'q' query parameter is missing.")
      const suggestions = suggestCategories(title).map(({ id, path }) => ({
        category: { categoryId: id, categoryName: path.at(-1) },
        categoryTreeNodeLevel: path.length,
        categoryTreeNodeAncestors: path
          .slice(0, -1)
          .map((categoryName, index) => ({
            categoryId: `${id}${index}`,
            categoryName,
            categoryTreeNodeLevel: index + 1,
            categorySubtreeNodeHref: `https://api.ebay.com/commerce/taxonomy/v1/category_tree/0/get_category_subtree?category_id=${id}${index}`,
          }))
          .reverse(),
        relevancy: 'HIGH',
      }))
      return json({ categorySuggestions: suggestions, categoryTreeId: '0', categoryTreeVersion: '133' })
    },
  },
  {
    id: 'getItemAspectsForCategory',
    method: 'GET',
    pattern: /^\/commerce\/taxonomy\/v1\/category_tree\/(?<tree>[^/]+)\/get_item_aspects_for_category$/,
    scope: null,
    answer(_shop, { request }) {
      const category = categoryOf(request.query.get('category_id') ?? '')
      if (!category) return taxonomyFault(62005, 'The specified category ID does not exist.')
      const aspects = category.aspects.map(({ name, required, recommended, mode, values }) => ({
        localizedAspectName: name,
        aspectConstraint: {
          aspectDataType: 'STRING',
          itemToAspectCardinality: 'SINGLE',
          aspectMode: mode,
          aspectRequired: required,
          aspectUsage: required || recommended ? 'RECOMMENDED' : 'OPTIONAL',
          aspectEnabledForVariations: false,
          aspectApplicableTo: ['PRODUCT'],
        },
        aspectValues: values.map((localizedValue) => ({ localizedValue })),
      }))
      return aspects.length > 0 ? json({ aspects }) : noContent
    },
  },
]

function taxonomyFault(errorId: number, message: string): SandboxResponse {
  return json({ errors: [{ errorId, domain: 'API_TAXONOMY', category: 'REQUEST', message }] }, 400)
}
