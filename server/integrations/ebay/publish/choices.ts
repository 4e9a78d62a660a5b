import type { AnswerCache } from '#server/integrations/answer-cache.ts'
import { PlatformError } from '#server/integrations/errors.ts'
import { packedChoices } from '#server/integrations/item-texts/item-details.ts'
import { offerCategories } from '#server/integrations/offer-categories.ts'
import type {
  CategoryName,
  ChoicesOptions,
  ListingChoice,
  PublishRequest,
  ShopAccess,
} from '#server/integrations/port.ts'
import type { Trading } from '../client.ts'
import { currencyOf, marketplacesFor, marketplacesFrom } from '../marketplaces.ts'
import type { Rest } from '../rest.ts'
import type { Aspect } from './aspect-forms.ts'
import { aspectChoices } from './aspects.ts'
import { conditionChoices, readConditions } from './condition-policy.ts'
import { readPolicies, type SellerPolicies, siteLanguage } from './policies.ts'
import { CategorySuggestions, CategoryTree, ItemAspects } from './shop-wire.ts'
import { termChoices } from './terms.ts'

/** Cache time of categories and aspects. They change a few times a year, and eBay grants few calls for them. */
const categoriesMaxAgeMs = 3_600_000

/** A site, and the language in which the seller lists there. */
export interface SiteLanguage {
  site: string
  language: string
}

interface ChoiceTools {
  rest: Rest
  trading: Trading
  cache: AnswerCache
}

/** Maximum categories in a search result. */
const maxFound = 20

/**
 * Returns the choices of an item on eBay: site, category (suggested by eBay for the title), the category's aspects and
 * conditions, and the seller's policies or terms. Weight and parcel size are added if the shipping policy needs them.
 */
export async function readChoices(
  tools: ChoiceTools,
  access: ShopAccess,
  item: PublishRequest,
  { maxAgeMs = 0, mayLookUp = () => true }: ChoicesOptions = {},
): Promise<ListingChoice[]> {
  const { rest, cache } = tools
  const sites = marketplacesFor(item.currency, item.address.country)
  const site = textOf(item.options.marketplace_id) ?? sites[0]?.id ?? 'EBAY_US'
  const [policies, category] = await Promise.all([
    readPolicies(rest, access, site, cache, maxAgeMs),
    siteLanguage(rest, access, site, cache).then((language) =>
      readCategory(rest, access, { site, language, mayLookUp }, item, cache),
    ),
  ])
  const shipping = policies.choices.find(({ option }) => option === 'fulfillment_policy_id')?.values ?? []
  const policy =
    textOf(item.options.fulfillment_policy_id) ??
    (shipping.find(({ suggested }) => suggested) ?? (shipping.length === 1 ? shipping[0] : undefined))?.id
  return [
    {
      option: 'marketplace_id',
      required: true,
      values: sites.map(({ id, name }, index) => ({ id, name, suggested: index === 0 })),
    },
    ...category,
    ...(await termsOf(tools, access, site, policies)),
    ...(policy !== undefined && policies.calculated.has(policy) ? packedChoices(item) : []),
  ]
}

/** Returns the choices of a shop on eBay: its site, and its policies or terms there. */
export async function readShopChoices(
  tools: ChoiceTools,
  access: ShopAccess,
  seller: { country: string; marketplace_id: string | null },
): Promise<ListingChoice[]> {
  const sites = marketplacesFrom(seller.country)
  const site = siteOf(seller)
  return [
    {
      option: 'marketplace_id',
      required: true,
      values: sites.map(({ id, name }) => ({ id, name, suggested: id === site })),
    },
    ...(await termsOf(tools, access, site, await readPolicies(tools.rest, access, site, tools.cache, 0))),
  ]
}

/** Returns the choices of a seller's policies, or of a listing's own terms where the seller has none. */
async function termsOf(
  { trading, cache }: ChoiceTools,
  access: ShopAccess,
  site: string,
  { choices, hasPolicies, language }: SellerPolicies,
): Promise<ListingChoice[]> {
  if (hasPolicies) return choices
  return termChoices(trading, access, { site, language, currency: currencyOf(site) ?? '' }, cache)
}

/** Returns eBay's category suggestions for words, on the chosen site or else on the site of the seller's country. */
export async function searchCategories(
  rest: Rest,
  access: ShopAccess,
  search: { words: string; country: string; marketplace_id: string | null },
  cache: AnswerCache,
): Promise<CategoryName[]> {
  const site = siteOf(search)
  const language = await siteLanguage(rest, access, site, cache)
  const tree = await treeOf(rest, access, { site, language }, cache)
  const key = `${language} ${tree} ${search.words.toLowerCase()}`
  const found = await cache.read(key, categoriesMaxAgeMs, () =>
    suggestedCategories(rest, access, { language, tree }, search.words),
  )
  return found.slice(0, maxFound)
}

const siteOf = (seller: { country: string; marketplace_id: string | null }) =>
  seller.marketplace_id ?? marketplacesFrom(seller.country)[0]?.id ?? 'EBAY_US'

/** Creates the error for a category that the site does not have. The code `category` distinguishes it. */
const unknownCategory = (id: string, cause: unknown) =>
  new PlatformError('ebay', 'refused', `eBay has no category ${id} to list in.`, { platformCode: 'category', cause })

const isRefused = (error: unknown) =>
  error instanceof PlatformError && (error.failure === 'refused' || error.failure === 'not_found')

const textOf = (value: unknown) => (typeof value === 'string' ? value : undefined)

/** Returns the category choice, and the choices that depend on it: aspects and conditions. */
async function readCategory(
  rest: Rest,
  access: ShopAccess,
  { site, language, mayLookUp }: SiteLanguage & { mayLookUp: () => boolean },
  item: PublishRequest,
  cache: AnswerCache,
): Promise<ListingChoice[]> {
  const tree = await treeOf(rest, access, { site, language }, cache)
  const key = `${language} ${tree} ${item.title.toLowerCase()}`
  const isRead = cache.has(key, categoriesMaxAgeMs) || mayLookUp()
  const suggestions = isRead
    ? await cache.read(key, categoriesMaxAgeMs, () => suggestedCategories(rest, access, { language, tree }, item.title))
    : []
  // Hapax weighs categories by their English words; of others the first is eBay's best.
  const values = language.startsWith('en')
    ? offerCategories(item, suggestions)
    : suggestions.map((one, index) => ({ ...one, suggested: index === 0 }))
  const choice = { option: 'category_id', required: true, values, ...(isRead ? {} : { unread: true }) }
  const category = textOf(item.options.category_id) ?? values.find(({ suggested }) => suggested)?.id
  if (category === undefined) return [choice]
  const [aspects, conditions] = await Promise.all([
    readAspects(rest, access, { site, language, category }, cache),
    readConditions(rest, access, { site, language, category }, cache),
  ])
  return [choice, ...aspectChoices(aspects, item, language), ...conditionChoices(conditions, item)]
}

/** Returns the aspects of a category in a language of its site, with eBay's limits of their values. */
export async function readAspects(
  rest: Rest,
  access: ShopAccess,
  { site, language, category }: SiteLanguage & { category: string },
  cache: AnswerCache,
): Promise<Aspect[]> {
  const tree = await treeOf(rest, access, { site, language }, cache)
  const path = `${tree}/get_item_aspects_for_category?category_id=${encodeURIComponent(category)}`
  return cache.read(`${language} ${path}`, categoriesMaxAgeMs, async () => {
    const answer = await rest({
      method: 'GET',
      ...access,
      language,
      call: 'the aspects of the category',
      path,
      schema: ItemAspects,
    }).catch((error: unknown) => {
      throw isRefused(error) ? unknownCategory(category, error) : error
    })
    return answer?.aspects ?? []
  })
}

/** Returns the path of a site's category tree. */
async function treeOf(
  rest: Rest,
  access: ShopAccess,
  { site, language }: SiteLanguage,
  cache: AnswerCache,
): Promise<string> {
  const base = '/commerce/taxonomy/v1'
  const path = `${base}/get_default_category_tree_id?marketplace_id=${encodeURIComponent(site)}`
  const { accessToken, signal } = access
  const tree = await cache.read(`${language} ${path}`, categoriesMaxAgeMs, () =>
    rest({
      method: 'GET',
      accessToken,
      signal,
      language,
      call: 'the category tree of the site',
      path,
      schema: CategoryTree,
    }),
  )
  return `${base}/category_tree/${encodeURIComponent(tree?.categoryTreeId ?? '0')}`
}

/** Reads eBay's category suggestions for words, best first. */
async function suggestedCategories(
  rest: Rest,
  access: ShopAccess,
  { language, tree }: { language: string; tree: string },
  words: string,
): Promise<CategoryName[]> {
  const suggestions = await rest({
    method: 'GET',
    ...access,
    language,
    call: 'the category suggestions',
    path: `${tree}/get_category_suggestions?q=${encodeURIComponent(words.slice(0, 300))}`,
    schema: CategorySuggestions,
  })
  return (suggestions?.categorySuggestions ?? []).map(({ category, categoryTreeNodeAncestors }) => ({
    id: category.categoryId,
    // eBay lists ancestors from the leaf upwards.
    name: [...(categoryTreeNodeAncestors ?? []).map((node) => node.categoryName).reverse(), category.categoryName].join(
      ' > ',
    ),
  }))
}
