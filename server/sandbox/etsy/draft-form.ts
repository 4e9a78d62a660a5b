import type { SandboxListing, SandboxMeasures, SandboxShop } from './listing.ts'
import { settingsOf, usual } from './responses.ts'
import { taxonomyIds } from './taxonomy.ts'

/* Checks of the forms of createDraftListing and updateListing on the sandbox Etsy. */

/** A refusal: a sentence or, as Etsy answers for some fields, a list. */
export type Fault = string | { path: string; type: string; message: string }[]

/** Returns Etsy's refusal of a listing without pictures. */
export const noImages: Fault = [{ path: '/images', type: 'array_too_short', message: 'cannot be less than 1 items' }]

const notAllowed = (path: string): Fault => [
  { path, type: 'invalid_enum', message: 'is not one of the allowed values' },
]

const whoMade = ['i_did', 'someone_else', 'collective']
/** Returns the values of `when_made` in Etsy's document, written out for three years. */
function erasAt(now: Date): string[] {
  const moving: Record<number, string> = {
    2025: '2020_2025 2010_2019 2006_2009 before_2006 2000_2005',
    2026: '2020_2026 2010_2019 2007_2009 before_2007 2000_2006',
    2027: '2020_2027 2010_2019 2008_2009 before_2008 2000_2007',
  }
  const decades = '1990s 1980s 1970s 1960s 1950s 1940s 1930s 1920s 1910s 1900s 1800s 1700s before_1700'
  return `made_to_order ${moving[now.getUTCFullYear()] ?? moving[2027]} ${decades}`.split(' ')
}

/** Returns whether Etsy counts a value of `when_made` as vintage: all but the first four. */
const isVintage = (when: string, now: Date) => erasAt(now).indexOf(when) > 3

/** Fields of the two forms. Others are refused, so that tests find misspelled ones. */
const common = [
  ...['title', 'description', 'who_made', 'when_made', 'is_supply', 'taxonomy_id', 'shipping_profile_id', 'tags'],
  ...['return_policy_id', 'materials', 'shop_section_id', 'image_ids', 'should_auto_renew', 'is_taxable', 'type'],
  ...['production_partner_ids', 'is_customizable', 'processing_min', 'processing_max'],
]
const measureFields = [
  ...['item_weight', 'item_weight_unit', 'item_length', 'item_width', 'item_height', 'item_dimensions_unit'],
]
export const createFields = [...common, ...measureFields, 'quantity', 'price', 'readiness_state_id', 'styles']
export const updateFields = [...common, ...measureFields, 'state', 'featured_rank']

/** Returns the fault in a form's fields; null for none. */
export function formFault(form: URLSearchParams, fields: string[], shop: SandboxShop, now: Date): Fault | null {
  const unknown = [...form.keys()].find((name) => !fields.includes(name))
  if (unknown) return `Unknown parameter: ${unknown}`
  const title = form.get('title')
  if (title !== null) {
    if (title === '' || [...title].length > 140) return 'Invalid title length.'
    if (/[^\p{L}\p{Nd}\p{P}\p{Sm}\p{Zs}™©®]/u.test(title)) {
      return [{ path: '/title/1', type: 'invalid_characters', message: 'contains invalid characters' }]
    }
    for (const character of '%:&+') {
      if (title.split(character).length > 2) return `Title may contain ${character} only once.`
    }
  }
  if (form.get('description') === '') return 'Invalid description.'
  const who = form.get('who_made')
  const when = form.get('when_made')
  if (who !== null && !whoMade.includes(who)) return notAllowed('/who_made')
  if (when !== null && !erasAt(now).includes(when)) return notAllowed('/when_made')
  if ((who !== null || when !== null) && !form.has('is_supply')) return 'who_made and when_made require is_supply.'
  const partners = (form.get('production_partner_ids') ?? '').split(',').filter((id) => id !== '')
  const ofShop = settingsOf(shop).partners.map((partner) => String(partner.production_partner_id))
  if (partners.some((id) => !ofShop.includes(id))) return 'Invalid production_partner_ids.'
  const isMarketable = form.get('is_supply') === 'true' || partners.length > 0 || isVintage(when ?? '', now)
  if (who === 'someone_else' && !isMarketable) {
    return 'There was a problem with /marketplace : Oh dear, you cannot sell this item on Etsy.'
  }
  const taxonomy = form.get('taxonomy_id')
  if (taxonomy !== null && !taxonomyIds.has(Number(taxonomy))) return 'Invalid taxonomy_id.'
  const shipping = form.get('shipping_profile_id')
  if (shipping !== null && ![usual.shippingProfile, usual.calculatedProfile].includes(Number(shipping)))
    return 'Invalid shipping_profile_id.'
  const policy = form.get('return_policy_id')
  if (policy !== null && Number(policy) !== usual.returnPolicy) return 'Invalid return_policy_id.'
  return null
}

const weightUnits = ['oz', 'lb', 'g', 'kg']
const lengthUnits = ['in', 'ft', 'mm', 'cm', 'm', 'yd', 'inches']

/** Returns the fault in weight and parcel size. A calculated shipping profile needs all of them. */
export function measuresFault(form: URLSearchParams, listing?: SandboxListing): string | null {
  const said = measuresOf(form)
  for (const name of ['item_weight', 'item_length', 'item_width', 'item_height'] as const) {
    if (form.has(name) && !(Number(said[name]) > 0)) {
      return `Item ${name.replace('item_', '')} must be greater than 0`
    }
  }
  if (said.item_weight_unit && !weightUnits.includes(said.item_weight_unit)) return 'Invalid item_weight_unit.'
  if (said.item_dimensions_unit && !lengthUnits.includes(said.item_dimensions_unit)) {
    return 'Invalid item_dimensions_unit.'
  }
  const profile = idOf(form, 'shipping_profile_id') ?? listing?.shippingProfileId
  const known = { ...listing?.measures, ...said }
  if (profile === usual.calculatedProfile && measureFields.some((name) => !known[name as keyof typeof known])) {
    return (
      'Could not set a calculated shipping profile to the listing. The listing is missing ' +
      "'item_weight', 'item_length', 'item_width', 'item_height', 'item_weight_unit' or 'item_dimensions_unit'."
    )
  }
  return null
}

export function measuresOf(form: URLSearchParams): SandboxMeasures {
  return Object.fromEntries(
    measureFields.flatMap((name) => {
      const value = form.get(name)
      return value === null ? [] : [[name, name.endsWith('_unit') ? value : Number(value)]]
    }),
  )
}

export function materialsOf(form: URLSearchParams): string[] {
  return (form.get('materials') ?? '').split(',').filter((word) => word !== '')
}

export function numbersFault(form: URLSearchParams, shop: SandboxShop): string | null {
  const price = form.get('price') ?? ''
  if (!/^\d{1,12}(\.\d{1,2})?$/.test(price)) return 'Invalid price.'
  const fault = priceFault(Number(price), shop.currency)
  if (fault) return fault
  if (!/^[1-9]\d{0,2}$/.test(form.get('quantity') ?? '')) return 'Invalid quantity.'
  const readiness = form.get('readiness_state_id')
  const states = settingsOf(shop).readinessStates
  if (readiness !== null && !states.includes(Number(readiness))) return 'Invalid readiness_state_id.'
  return null
}

export function detailsOf(form: URLSearchParams, listing?: SandboxListing) {
  return {
    whoMade: (form.get('who_made') ?? 'i_did') as SandboxListing['whoMade'],
    whenMade: form.get('when_made') ?? 'made_to_order',
    isSupply: form.get('is_supply') === 'true',
    taxonomyId: Number(form.get('taxonomy_id') ?? listing?.taxonomyId ?? 1),
  }
}

export const idOf = (form: URLSearchParams, name: string) => (form.has(name) ? Number(form.get(name)) : null)

/** Units of currencies for a dollar, roughly those of 2022, when Etsy was seen to refuse prices below 4,420 dong. */
const perDollar: Record<string, number> = {
  USD: 1,
  EUR: 0.9,
  GBP: 0.75,
  CAD: 1.27,
  AUD: 1.35,
  JPY: 120,
  TWD: 28.5,
  VND: 22_100,
}

/** Returns Etsy's refusal of a price: at least 0.20 and at most 50,000 US dollars in the shop's currency. */
export function priceFault(price: number, currency: string): string | null {
  const rate = perDollar[currency] ?? 1
  const digits = currency === 'JPY' || currency === 'VND' ? 0 : 2
  const money = (dollars: number) =>
    `${new Intl.NumberFormat('en-US', { style: 'currency', currency, minimumFractionDigits: digits }).format(dollars * rate)} ${currency}`
  const least = Number((0.2 * rate).toFixed(digits))
  if (price < least) return `There was a problem with /price : must be above min price ${money(0.2)}`
  if (price > 50_000 * rate) return `There was a problem with /price : must be below max price ${money(50_000)}`
  return null
}
