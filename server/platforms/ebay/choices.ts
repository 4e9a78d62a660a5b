import type { ChoicesOptions, ListingChoice, PublishRequest, ShopAccess } from '../port.ts'
import type { Recent } from '../recent.ts'
import { conditionOf, conditions } from './condition.ts'
import { marketplacesFor } from './marketplaces.ts'
import {
  CategorySuggestions,
  CategoryTree,
  FulfillmentPolicies,
  ItemAspects,
  PaymentPolicies,
  ReturnPolicies,
} from './offer-wire.ts'
import type { Rest } from './rest.ts'

type Values = ListingChoice['values']

/** How long eBay's categories and their aspects are kept: they change a few times a year, and its calls about them are few. */
const categoriesMaxAgeMs = 3_600_000

/** Values of an aspect that are offered: more would help nobody to choose. */
const maxAspectValues = 200

/**
 * What has to be chosen before an item goes up on eBay (platforms 1.4): site, category (eBay suggests from the title), the
 * category's required aspects, condition, and the seller's three policies.
 */
export async function readChoices(
  rest: Rest,
  access: ShopAccess,
  item: PublishRequest,
  recent: Recent,
  { maxAgeMs = 0 }: ChoicesOptions = {},
): Promise<ListingChoice[]> {
  const sites = marketplacesFor(item.currency, item.address.country)
  const options = item.options as Record<string, unknown>
  const site = typeof options.marketplace_id === 'string' ? options.marketplace_id : (sites[0]?.id ?? 'EBAY_US')
  const [policies, category] = await Promise.all([
    recent(`${access.shop.external_id} ${site}`, maxAgeMs, () => readPolicies(rest, access, site)),
    readCategory(
      rest,
      access,
      site,
      item,
      typeof options.category_id === 'string' ? options.category_id : null,
      recent,
    ),
  ])
  const suggested = conditionOf(item.condition.label)
  return [
    {
      option: 'marketplace_id',
      required: true,
      values: sites.map(({ id, name }, index) => ({ id, name, suggested: index === 0 })),
    },
    ...category,
    {
      option: 'condition',
      required: true,
      values: Object.entries(conditions).map(([id, name]) => ({ id, name, suggested: id === suggested })),
    },
    ...policies,
  ]
}

async function readPolicies(rest: Rest, access: ShopAccess, site: string): Promise<ListingChoice[]> {
  const read = { method: 'GET', accessToken: access.accessToken, signal: access.signal } as const
  const path = (kind: string) => `/sell/account/v1/${kind}_policy?marketplace_id=${encodeURIComponent(site)}`
  const [payment, fulfillment, returns] = await Promise.all([
    rest({ ...read, call: 'the payment policies', path: path('payment'), schema: PaymentPolicies }),
    rest({ ...read, call: 'the shipping policies', path: path('fulfillment'), schema: FulfillmentPolicies }),
    rest({ ...read, call: 'the return policies', path: path('return'), schema: ReturnPolicies }),
  ])
  const choice = (option: string, policies: { id: string; policy: { name: string; categoryTypes?: unknown } }[]) => ({
    option,
    required: true,
    values: policies.map(({ id, policy }) => ({ id, name: policy.name || id, suggested: isDefault(policy) })),
  })
  return [
    choice(
      'payment_policy_id',
      (payment?.paymentPolicies ?? []).map((policy) => ({ id: policy.paymentPolicyId, policy })),
    ),
    choice(
      'fulfillment_policy_id',
      (fulfillment?.fulfillmentPolicies ?? []).map((policy) => ({ id: policy.fulfillmentPolicyId, policy })),
    ),
    choice(
      'return_policy_id',
      (returns?.returnPolicies ?? []).map((policy) => ({ id: policy.returnPolicyId, policy })),
    ),
  ]
}

/** The seller marked one as default in "My eBay". */
function isDefault({ categoryTypes }: { categoryTypes?: unknown }): boolean {
  return Array.isArray(categoryTypes) && categoryTypes.some((type: { default?: boolean }) => type.default === true)
}

async function readCategory(
  rest: Rest,
  access: ShopAccess,
  site: string,
  item: PublishRequest,
  chosen: string | null,
  recent: Recent,
): Promise<ListingChoice[]> {
  const read = { method: 'GET', accessToken: access.accessToken, signal: access.signal } as const
  const base = '/commerce/taxonomy/v1'
  const treeOf = `${base}/get_default_category_tree_id?marketplace_id=${encodeURIComponent(site)}`
  const tree = await recent(treeOf, categoriesMaxAgeMs, () =>
    rest({ ...read, call: 'the category tree of the site', path: treeOf, schema: CategoryTree }),
  )
  const treePath = `${base}/category_tree/${encodeURIComponent(tree?.categoryTreeId ?? '0')}`
  const suggestions = await rest({
    ...read,
    call: 'the category suggestions',
    path: `${treePath}/get_category_suggestions?q=${encodeURIComponent(item.title.slice(0, 300))}`,
    schema: CategorySuggestions,
  })
  const values: Values = (suggestions?.categorySuggestions ?? []).map(
    ({ category, categoryTreeNodeAncestors }, index) => ({
      id: category.categoryId,
      // Ancestors come from the leaf upwards.
      name: [
        ...(categoryTreeNodeAncestors ?? []).map((node) => node.categoryName).reverse(),
        category.categoryName,
      ].join(' > '),
      suggested: index === 0,
    }),
  )
  const category = { option: 'category_id', required: true, values }
  const id = chosen ?? values[0]?.id
  if (!id) return [category]
  const aspectsOf = `${treePath}/get_item_aspects_for_category?category_id=${encodeURIComponent(id)}`
  const required = await recent(aspectsOf, categoriesMaxAgeMs, async () => {
    const answer = await rest({ ...read, call: 'the aspects of the category', path: aspectsOf, schema: ItemAspects })
    return (answer?.aspects ?? []).filter((aspect) => aspect.aspectConstraint?.aspectRequired)
  })
  return [category, ...required.map((aspect) => aspectChoice(aspect, item))]
}

function aspectChoice(
  aspect: {
    localizedAspectName: string
    aspectConstraint?: { aspectMode?: string } | null
    aspectValues?: { localizedValue: string }[] | null
  },
  item: PublishRequest,
): ListingChoice {
  const name = aspect.localizedAspectName
  const allowed = (aspect.aspectValues ?? []).map(({ localizedValue }) => localizedValue)
  const isFree = aspect.aspectConstraint?.aspectMode !== 'SELECTION_ONLY'
  const known = knownValue(name, allowed, isFree, item)
  const shown = known !== null && !allowed.includes(known) ? [known, ...allowed] : allowed
  return {
    option: `aspects.${name}`,
    required: true,
    values: shown.slice(0, maxAspectValues).map((value) => ({ id: value, name: value, suggested: value === known })),
  }
}

const attributeOf: Record<string, string> = { brand: 'brand', size: 'size', color: 'colors', colour: 'colors' }

/** What the item itself says about an aspect: its attribute, else a value that its title names. */
export function knownValue(name: string, allowed: string[], isFree: boolean, item: PublishRequest): string | null {
  const attribute = item.attributes[attributeOf[name.toLowerCase()] ?? name.toLowerCase()]
  const said = (Array.isArray(attribute) ? attribute[0] : attribute) as unknown
  if (typeof said === 'string' && said.trim() !== '') {
    const same = allowed.find((value) => value.toLowerCase() === said.trim().toLowerCase())
    if (same) return same
    if (isFree) return said.trim().slice(0, 65)
  }
  const words = ` ${item.title.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, ' ')} `
  const named = allowed.filter((value) => value.length > 2 && words.includes(` ${value.toLowerCase()} `))
  return named.sort((a, b) => b.length - a.length)[0] ?? null
}
