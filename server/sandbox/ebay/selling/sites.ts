import { categories, type SandboxCategory } from '../categories.ts'
import { localNames } from './local-names.ts'

/** An eBay site in one of its languages. */
export interface SandboxSite {
  marketplaceId: string
  language: string
  currency: string
  /** Id of the site's default category tree in this language. */
  tree: string
  /** The text for a product identifier that does not exist. */
  notApplicable: string
  /** The brand of an item without a brand. */
  unbranded: string
}

const texts = {
  en: { notApplicable: 'Does not apply', unbranded: 'Unbranded' },
  de: { notApplicable: 'Nicht zutreffend', unbranded: 'Markenlos' },
  fr: { notApplicable: 'Non applicable', unbranded: 'Sans marque' },
}

/** The sites that the sandbox speaks for, the usual language of each first. Trees are numbered as at eBay. */
export const sites: SandboxSite[] = (
  [
    ['EBAY_US', 'en-US', 'USD', '0'],
    ['EBAY_GB', 'en-GB', 'GBP', '3'],
    ['EBAY_DE', 'de-DE', 'EUR', '77'],
    ['EBAY_CA', 'en-CA', 'CAD', '2'],
    ['EBAY_CA', 'fr-CA', 'CAD', '210'],
    ['EBAY_FR', 'fr-FR', 'EUR', '71'],
    ['EBAY_AT', 'de-AT', 'EUR', '16'],
    ['EBAY_IE', 'en-IE', 'EUR', '205'],
    ['EBAY_AU', 'en-AU', 'AUD', '15'],
  ] as const
).map(([marketplaceId, language, currency, tree]) => ({
  ...{ marketplaceId, language, currency, tree },
  ...texts[language.slice(0, 2) as keyof typeof texts],
}))

/** Marketplaces of eBay that the sandbox knows by name alone: nobody has policies there. */
const others = ['EBAY_BE', 'EBAY_CH', 'EBAY_ES', 'EBAY_IT', 'EBAY_NL', 'EBAY_PL']

/** Marketplaces of eBay where no seller can have business policies. */
const withoutPolicies = ['EBAY_HK', 'EBAY_MY', 'EBAY_PH', 'EBAY_SG', 'EBAY_TW', 'EBAY_VN']

/** Whether business policies exist on a marketplace. */
export const hasPolicies = (marketplaceId: string): boolean =>
  others.includes(marketplaceId) || sites.some((site) => site.marketplaceId === marketplaceId)

/** Whether eBay has a marketplace of this id. */
export const isMarketplace = (marketplaceId: string): boolean =>
  hasPolicies(marketplaceId) || withoutPolicies.includes(marketplaceId)

/** Finds a marketplace in a language; in its usual language for another, undefined for another marketplace. */
export function siteOf(marketplaceId: string, language = ''): SandboxSite | undefined {
  const ofMarketplace = sites.filter((site) => site.marketplaceId === marketplaceId)
  return ofMarketplace.find((site) => site.language === language) ?? ofMarketplace[0]
}

/** Finds the site of a category tree. */
export const siteOfTree = (tree: string): SandboxSite | undefined => sites.find((site) => site.tree === tree)

/** Returns the leaves of a site, in its language. */
export const categoriesOf = ({ language }: SandboxSite): SandboxCategory[] => localized.get(language) ?? categories

/** Finds a leaf of a site by its id. */
export const categoryOf = (site: SandboxSite, id: string): SandboxCategory | undefined =>
  categoriesOf(site).find((category) => category.id === id)

/** Returns the leaves of a site that fit a title, best first, at least one. */
export function suggestCategories(site: SandboxSite, title: string): SandboxCategory[] {
  const words = new Set(title.toLowerCase().split(/[^\p{L}\p{N}]+/u))
  const hits = (category: SandboxCategory) => category.words.filter((word) => words.has(word)).length
  const all = categoriesOf(site)
  const fitting = all.filter((category) => hits(category) > 0).sort((a, b) => hits(b) - hits(a))
  return fitting.length > 0 ? fitting.slice(0, 5) : all.slice(-1)
}

function localize(category: SandboxCategory, language: string): SandboxCategory {
  const { names, values = {}, words } = localNames[language] ?? { names: {}, words: {} }
  const local = (name: string) => names[name] ?? name
  return {
    ...category,
    path: category.path.map(local),
    words: [...category.words, ...(words[category.id] ?? '').split(' ')].filter((word) => word !== ''),
    aspects: category.aspects.map((aspect) => ({
      ...aspect,
      name: local(aspect.name),
      values: (aspect.values.length > 0 && values[aspect.name]) || aspect.values.map(local),
    })),
    conditions: category.conditions.map((condition) => ({
      ...condition,
      name: local(condition.name),
      ...(condition.descriptors
        ? { descriptors: condition.descriptors.map((one) => ({ ...one, name: local(one.name) })) }
        : {}),
    })),
  }
}

const localized = new Map(
  sites.map(({ language }) => [language, categories.map((category) => localize(category, language))]),
)
