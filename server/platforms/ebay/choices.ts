import type { CategoryName, ChoicesOptions, ListingChoice, PublishRequest, ShopAccess } from '../port.ts'
import type { Recent } from '../recent.ts'
import { conditionOf, conditions } from './condition.ts'
import { languageOf, marketplacesFor, marketplacesFrom } from './marketplaces.ts'
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

/** Values of an aspect that are offered: more would help nobody to choose, unless there are no others. */
const maxAspectValues = 200
const maxClosedValues = 2_000

/** Most categories that a search answers with. */
const maxFound = 20

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
    recentPolicies(rest, access, site, recent, maxAgeMs),
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

/** What is chosen once for a shop on eBay: its site, and the policies that it has there. */
export async function readShopChoices(
  rest: Rest,
  access: ShopAccess,
  seller: { country: string; marketplace_id: string | null },
  recent: Recent,
): Promise<ListingChoice[]> {
  const sites = marketplacesFrom(seller.country)
  const site = siteOf(seller)
  return [
    {
      option: 'marketplace_id',
      required: true,
      values: sites.map(({ id, name }) => ({ id, name, suggested: id === site })),
    },
    ...(await recentPolicies(rest, access, site, recent, 0)),
  ]
}

/** Categories that eBay suggests for words, on the site that is chosen, else on that of the seller's country. */
export async function searchCategories(
  rest: Rest,
  access: ShopAccess,
  search: { words: string; country: string; marketplace_id: string | null },
  recent: Recent,
): Promise<CategoryName[]> {
  const site = siteOf(search)
  const tree = await treeOf(rest, access, site, recent)
  const key = `${tree} ${search.words.toLowerCase()}`
  const found = await recent(key, categoriesMaxAgeMs, () =>
    suggestedCategories(rest, access, { site, tree }, search.words),
  )
  return found.slice(0, maxFound)
}

const siteOf = (seller: { country: string; marketplace_id: string | null }) =>
  seller.marketplace_id ?? marketplacesFrom(seller.country)[0]?.id ?? 'EBAY_US'

const recentPolicies = (rest: Rest, access: ShopAccess, site: string, recent: Recent, maxAgeMs: number) =>
  recent(`${access.shop.external_id} ${site}`, maxAgeMs, () => readPolicies(rest, access, site))

async function readPolicies(rest: Rest, access: ShopAccess, site: string): Promise<ListingChoice[]> {
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
  const language = languageOf(site)
  const tree = await treeOf(rest, access, site, recent)
  const suggestions = await suggestedCategories(rest, access, { site, tree }, item.title)
  const values: Values = suggestions.map((one, index) => ({ ...one, suggested: index === 0 }))
  const category = { option: 'category_id', required: true, values }
  const id = chosen ?? values[0]?.id
  if (!id) return [category]
  const aspectsOf = `${tree}/get_item_aspects_for_category?category_id=${encodeURIComponent(id)}`
  const required = await recent(aspectsOf, categoriesMaxAgeMs, async () => {
    const answer = await rest({
      ...read,
      language,
      call: 'the aspects of the category',
      path: aspectsOf,
      schema: ItemAspects,
    })
    return (answer?.aspects ?? []).filter((aspect) => aspect.aspectConstraint?.aspectRequired)
  })
  return [category, ...required.map((aspect) => aspectChoice(aspect, item))]
}

/** Path of the category tree of a site. */
async function treeOf(rest: Rest, access: ShopAccess, site: string, recent: Recent): Promise<string> {
  const base = '/commerce/taxonomy/v1'
  const path = `${base}/get_default_category_tree_id?marketplace_id=${encodeURIComponent(site)}`
  const { accessToken, signal } = access
  const tree = await recent(path, categoriesMaxAgeMs, () =>
    rest({
      method: 'GET',
      accessToken,
      signal,
      language: languageOf(site),
      call: 'the category tree of the site',
      path,
      schema: CategoryTree,
    }),
  )
  return `${base}/category_tree/${encodeURIComponent(tree?.categoryTreeId ?? '0')}`
}

/** Categories that eBay suggests for words, the best first. */
async function suggestedCategories(
  rest: Rest,
  access: ShopAccess,
  { site, tree }: { site: string; tree: string },
  words: string,
): Promise<CategoryName[]> {
  const suggestions = await rest({
    method: 'GET',
    accessToken: access.accessToken,
    signal: access.signal,
    language: languageOf(site),
    call: 'the category suggestions',
    path: `${tree}/get_category_suggestions?q=${encodeURIComponent(words.slice(0, 300))}`,
    schema: CategorySuggestions,
  })
  return (suggestions?.categorySuggestions ?? []).map(({ category, categoryTreeNodeAncestors }) => ({
    id: category.categoryId,
    // Ancestors come from the leaf upwards.
    name: [...(categoryTreeNodeAncestors ?? []).map((node) => node.categoryName).reverse(), category.categoryName].join(
      ' > ',
    ),
  }))
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
    free_text: isFree,
    values: shown
      .slice(0, isFree ? maxAspectValues : maxClosedValues)
      .map((value) => ({ id: value, name: value, suggested: value === known })),
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
