import type { z } from 'zod'
import type { AnswerCache } from '#server/integrations/answer-cache.ts'
import { isFailure } from '#server/integrations/errors.ts'
import { packedChoices, textsOf } from '#server/integrations/item-texts/item-details.ts'
import { offerCategories } from '#server/integrations/offer-categories.ts'
import type { ChoicesOptions, ListingChoice, PublishRequest, ShopAccess } from '#server/integrations/port.ts'
import { kindWordsOf } from '#shared/item/title-kind.ts'
import type { Etsy } from '../client.ts'
import type { Categories } from '../taxonomy.ts'
import { eraOfYear, erasOf, isVintage, nameOfEra } from './era.ts'
import { hasProperties, propertyChoices, readProperties } from './properties.ts'
import { ProductionPartners, ReadinessStates, ReturnPolicies, ShippingProfiles } from './selling-wire.ts'

const whoMade = { i_did: 'I did', someone_else: 'Another company or person', collective: 'A member of my shop' }

/** Maximum processing profiles in an answer. Etsy's default is 25. */
const pageSize = 100
/** Pages to read at most. */
const maxPages = 20

/** Pages of a shop's manager where what is missing can be made. Processing profiles are on the page for shipping. */
const shippingPage = '/your/shops/me/tools/shipping-profiles'
const policiesPage = '/your/shops/me/tools/policies'

/** EU members, whose shops need no return policy on Etsy. */
const european = new Set('AT BE BG HR CY CZ DK EE FI FR DE GR HU IE IT LV LT LU MT NL PL PT RO SK SI ES SE'.split(' '))

/** Dependencies of reading a shop's choices. */
export interface ChoiceTools {
  etsy: Etsy
  cache: AnswerCache
  /** The site that the shop's manager is on. */
  siteUrl: string
}

/**
 * Returns the choices of an item on Etsy: category with its required properties, who made it and when, and the shop's
 * shipping profile, return policy and processing profile.
 */
export async function readChoices(
  tools: ChoiceTools,
  categories: Categories,
  access: ShopAccess,
  item: PublishRequest,
  options: ChoicesOptions,
  year: number,
): Promise<ListingChoice[]> {
  const { choices: profiles, calculated } = await readProfiles(tools, access, item.address.country, options)
  const partners = await readPartners(tools, access, options)
  const offered = profiles.find(({ option }) => option === 'shipping_profile_id')?.values ?? []
  const profile = item.options.shipping_profile_id ?? (offered.length === 1 ? offered[0]?.id : undefined)
  const own = eraOf(String(item.attributes.decade ?? ''), year)
  const [source, era] = textsOf(item)
    .map(([from, words]) => [from, own ?? eraOf(from === 'title' ? words : datesIn(words), year)] as const)
    .find(([, named]) => named !== null) ?? [undefined, null]
  const suggested = suggestCategories(categories, item)
  return [
    { option: 'taxonomy_id', required: true, values: withChosen(suggested, categories, item.options.taxonomy_id) },
    // Vintage on Etsy means made by someone else, at least twenty years ago.
    whoMadeIt(era !== null && isVintage(era, year) ? 'someone_else' : null),
    {
      option: 'when_made',
      required: true,
      ...(source && own === null ? { source } : {}),
      values: erasOf(year).map((id) => ({ id, name: nameOfEra(id), suggested: id === era })),
    },
    {
      option: 'is_supply',
      required: true,
      values: [
        { id: 'false', name: 'A finished product', suggested: true },
        { id: 'true', name: 'A supply or tool for making things' },
      ],
    },
    ...(partners.length > 0 || item.options.production_partner_ids !== undefined
      ? [{ option: 'production_partner_ids', required: false, values: partners }]
      : []),
    ...(await readPropertyChoices(tools, item, suggested, { ...options, signal: access.signal })),
    ...profiles,
    ...(calculated.has(String(profile)) ? packedChoices(item) : []),
  ]
}

/** Returns the required properties of the chosen category, or else of the suggested one. */
async function readPropertyChoices(
  { etsy, cache }: ChoiceTools,
  item: PublishRequest,
  categories: ListingChoice['values'],
  { mayLookUp = () => true, signal }: ChoicesOptions & { signal?: AbortSignal | undefined },
): Promise<ListingChoice[]> {
  const taxonomyId = item.options.taxonomy_id ?? categories.find(({ suggested }) => suggested)?.id
  if (typeof taxonomyId !== 'string') return []
  if (!hasProperties(cache, taxonomyId) && !mayLookUp()) {
    return [{ option: 'aspects', label: 'properties of the category', required: true, values: [], unread: true }]
  }
  return propertyChoices(await readProperties(etsy, cache, taxonomyId, signal), item)
}

/** Returns the choices of a shop on Etsy: who makes its items, and its profiles. */
export async function readShopChoices(
  tools: ChoiceTools,
  access: ShopAccess,
  country: string,
): Promise<ListingChoice[]> {
  return [whoMadeIt(null), ...(await readProfiles(tools, access, country, {})).choices]
}

function readOfShop<Schema extends z.ZodType>(
  { etsy, cache }: ChoiceTools,
  { shop, accessToken, signal }: ShopAccess,
  { maxAgeMs = 0 }: ChoicesOptions,
  asked: { call: string; name: string; query?: Record<string, number> },
  schema: Schema,
): Promise<z.output<Schema>> {
  const { call, query } = asked
  const path = `/shops/${encodeURIComponent(shop.external_id)}${asked.name}`
  const key = query ? `${path} ${JSON.stringify(query)}` : path
  return cache.read(key, maxAgeMs, () => etsy({ call, path, query, accessToken, signal }, schema))
}

/** Returns the shop's production partners; none where Etsy does not tell. */
async function readPartners(
  tools: ChoiceTools,
  access: ShopAccess,
  options: ChoicesOptions,
): Promise<ListingChoice['values']> {
  const asked = { call: 'the production partners', name: '/production-partners' }
  try {
    const { results } = await readOfShop(tools, access, options, asked, ProductionPartners)
    return results.map((partner) => ({
      id: partner.production_partner_id,
      name: partner.partner_name ?? partner.production_partner_id,
    }))
  } catch (error) {
    // Most shops have none, so a shop that Etsy refuses or does not find must still be able to list.
    if (isFailure(error, 'refused') || isFailure(error, 'not_found')) return []
    throw error
  }
}

/** Returns all processing profiles of a shop, page by page. */
async function readReadinessStates(tools: ChoiceTools, access: ShopAccess, options: ChoicesOptions) {
  const asked = { call: 'the processing profiles', name: '/readiness-state-definitions' }
  const states: z.output<typeof ReadinessStates>['results'] = []
  for (let page = 0; page < maxPages; page++) {
    const query = { limit: pageSize, offset: page * pageSize }
    const { results, count } = await readOfShop(tools, access, options, { ...asked, query }, ReadinessStates)
    states.push(...results)
    if (results.length === 0 || states.length >= (count ?? 0)) break
  }
  return states
}

/** Returns the shop's profiles and policies. Shipping profiles in `calculated` need weight and parcel size. */
async function readProfiles(
  tools: ChoiceTools,
  access: ShopAccess,
  country: string,
  options: ChoicesOptions,
): Promise<{ choices: ListingChoice[]; calculated: ReadonlySet<string> }> {
  const ofShop = <Schema extends z.ZodType>(call: string, name: string, schema: Schema) =>
    readOfShop(tools, access, options, { call, name }, schema)
  const shipping = await ofShop('the shipping profiles', '/shipping-profiles', ShippingProfiles)
  const returns = await ofShop('the return policies', '/policies/return', ReturnPolicies)
  const readiness = await readReadinessStates(tools, access, options)
  const usable = shipping.results.filter((profile) => !profile.is_deleted)
  const calculated = new Set(
    usable.filter(({ profile_type }) => profile_type === 'calculated').map((profile) => profile.shipping_profile_id),
  )
  const choices = [
    {
      option: 'shipping_profile_id',
      required: true,
      link: `${tools.siteUrl}${shippingPage}`,
      values: usable.map((profile) => ({
        id: profile.shipping_profile_id,
        name: profile.title ?? profile.shipping_profile_id,
      })),
    },
    {
      option: 'return_policy_id',
      required: !european.has(country),
      link: `${tools.siteUrl}${policiesPage}`,
      values: returns.results.map((policy) => ({ id: policy.return_policy_id, name: nameOfPolicy(policy) })),
    },
    {
      option: 'readiness_state_id',
      required: true,
      link: `${tools.siteUrl}${shippingPage}`,
      values: readiness.map((state) => ({
        id: state.readiness_state_id,
        name: begun(
          [state.readiness_state?.replaceAll('_', ' '), state.processing_days_display_label].filter(Boolean).join(', '),
        ),
      })),
    },
  ]
  return { choices, calculated }
}

const whoMadeIt = (suggested: string | null): ListingChoice => ({
  option: 'who_made',
  required: true,
  values: Object.entries(whoMade).map(([id, name]) => ({ id, name, suggested: id === suggested })),
})

/** Adds the chosen category to the offered ones, so that its name is shown. */
function withChosen(
  offered: ListingChoice['values'],
  categories: Categories,
  chosen: unknown,
): ListingChoice['values'] {
  const name = typeof chosen === 'string' ? categories.get(Number(chosen)) : undefined
  if (name === undefined || offered.some(({ id }) => id === chosen)) return offered
  return [...offered, { id: String(chosen), name }]
}

const begun = (words: string) => words.charAt(0).toUpperCase() + words.slice(1)

function nameOfPolicy(policy: {
  accepts_returns?: boolean | null
  accepts_exchanges?: boolean | null
  return_deadline?: number | null
}): string {
  const accepted = [policy.accepts_returns && 'returns', policy.accepts_exchanges && 'exchanges'].filter(Boolean)
  if (accepted.length === 0) return 'No returns or exchanges'
  return begun(`${accepted.join(' and ')} within ${policy.return_deadline ?? '?'} days`)
}

/** Returns what is a date in a long text, which has other numbers too: "in 1974", "1970s", "Y2K". */
const datesIn = (text: string) =>
  (
    text.match(
      /\b(?:circa|dated|from|in) (?:the )?[12]\d{3}\b|\b[12]\d{3}['’]?s\b|(?<!\d)['’]?[2-9]0['’]?s\b|\by2k\b/gi,
    ) ?? []
  ).join(' ')

/** Returns the era that a text names; null if it names none or several. */
export function eraOf(text: string, now = new Date().getUTCFullYear()): string | null {
  const named = new Set<string>()
  for (const [, year] of text.matchAll(/\b(1[5-9]\d\d|20[0-2]\d)(?:'?s|er)?\b/g)) {
    const era = eraOfYear(Number(year), now)
    if (era) named.add(era)
  }
  if (/\by2k\b/i.test(text)) named.add(eraOfYear(2000, now)!)
  for (const [, decade] of text.matchAll(/(?<![\d.])['’]?([2-9]0)(?:['’]?s|er)\b/g)) named.add(`19${decade}s`)
  return named.size === 1 ? ([...named][0] ?? null) : null
}

/**
 * Returns the categories that share the most words with the item's category and title, best first. The best is
 * suggested only if it names the kind that the title says, its own name matches the item's category, or is all in the
 * title, and it does not contradict the title.
 */
export function suggestCategories(categories: Categories, item: PublishRequest): ListingChoice['values'] {
  const category = String(item.attributes.category ?? '')
  const own = wordsOf(category)
  const ownLeaf = wordsOf(category.split(/[:>]/).at(-1) ?? '')
  const title = wordsOf(item.title)
  const kinds = wordsOf(kindWordsOf(item.title).join(' '))
  const shared = (ours: Set<string>, theirs: Set<string>) => [...theirs].filter((word) => ours.has(word)).length
  const scored = [...categories].map(([id, path]) => {
    const words = wordsOf(path)
    const leaf = wordsOf(path.split(' > ').at(-1) ?? '')
    const byName = 6 * shared(ownLeaf, leaf) + 3 * shared(title, leaf)
    const score = byName + shared(own, words) + shared(title, words) - leaf.size * 0.01
    const isSure = shared(ownLeaf, leaf) > 0 || shared(title, leaf) === leaf.size
    return { id: String(id), name: path, score, isSure, isLike: shared(kinds, words) > 0 }
  })
  const best = scored.filter(({ score, isLike }) => score > 0 || isLike).sort((a, b) => b.score - a.score)
  return offerCategories(item, best).slice(0, 10)
}

/** Returns the words of a text in the singular, without stop words. */
export function wordsOf(text: string): Set<string> {
  const words = text.toLowerCase().split(/[^\p{L}\p{N}]+/u)
  const stopWords = new Set(['and', 'the', 'of', 'for', 'with', 'other', 'a', 's', 'in'])
  return new Set(words.filter((word) => word !== '' && !stopWords.has(word)).map(singular))
}

const singular = (word: string) => word.replace(/(ss|x|ch|sh)es$/, '$1').replace(/(?<=\p{L}{2}[^s])s$/u, '')
