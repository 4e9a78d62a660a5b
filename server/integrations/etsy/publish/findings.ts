import { pictureFindings } from '#server/integrations/pictures.ts'
import type { Finding, PublishRequest } from '#server/integrations/port.ts'
import type { Categories } from '../taxonomy.ts'
import { currentEra, erasOf, isVintage, nameOfEra } from './era.ts'
import { etsyTitle, isMalformedValue } from './listing-text.ts'
import { priceFault } from './price-bounds.ts'

/** Maximum pictures of a listing on Etsy. */
export const maxPictures = 20

/**
 * Returns findings about values that Etsy would refuse or change. The choices are checked elsewhere. `shopCurrency` is
 * the shop's currency; null if Etsy did not report it. Pure.
 */
export function etsyFindings(
  request: PublishRequest,
  { categories, shopCurrency, year }: { categories: Categories; shopCurrency: string | null; year: number },
): Finding[] {
  return [
    ...titleFindings(request.title),
    ...pictureFindings(request.images, { name: 'Etsy', most: maxPictures }),
    ...priceFindings(request, shopCurrency),
    ...categoryFindings(request, categories),
    ...makerFindings(request, year),
    ...valueFindings(request),
  ]
}

function titleFindings(title: string): Finding[] {
  const accepted = etsyTitle(title)
  if (accepted === '') {
    const message = 'Nothing is left of the title in the characters that Etsy takes.'
    return [{ field: 'title', code: 'not_allowed', message, blocking: true }]
  }
  if (accepted === title.replace(/\s+/g, ' ').trim()) return []
  const message = `Etsy limits length and characters of a title: it becomes "${accepted}".`
  return [{ field: 'title', code: 'changed', message, blocking: false }]
}

function priceFindings({ price_minor, currency }: PublishRequest, shopCurrency: string | null): Finding[] {
  if (shopCurrency !== null && shopCurrency !== currency) {
    const message = `The shop on Etsy sells in ${shopCurrency}, and the price is in ${currency}.`
    return [{ field: 'currency', code: 'currency', message, blocking: true }]
  }
  const fault = priceFault(price_minor, currency)
  return fault ? [{ field: 'price', ...fault, blocking: true }] : []
}

function categoryFindings({ options }: PublishRequest, categories: Categories): Finding[] {
  // The categories are unknown for some minutes after a failed call.
  if (categories.size === 0 || options.taxonomy_id === undefined) return []
  if (categories.has(Number(options.taxonomy_id))) return []
  const message = `Etsy has no category ${String(options.taxonomy_id)}.`
  return [{ field: 'options.taxonomy_id', code: 'not_allowed', message, blocking: true }]
}

function valueFindings({ options }: PublishRequest): Finding[] {
  return Object.entries((options.aspects ?? {}) as Record<string, string[]>)
    .filter(([, values]) => values.some(isMalformedValue))
    .map(([name]) => {
      const message = `Etsy takes no parentheses in “${name}”.`
      return { field: `options.aspects.${name}`, code: 'not_allowed', message, blocking: true }
    })
}

/** Etsy refuses what somebody else made, unless it is vintage, a supply, or made by a partner of the shop. */
function makerFindings({ options }: PublishRequest, year: number): Finding[] {
  const { who_made, when_made, is_supply, production_partner_ids } = options
  if (who_made !== 'someone_else' || typeof when_made !== 'string' || isVintage(currentEra(when_made, year), year)) {
    return []
  }
  if (is_supply === 'true' || production_partner_ids) return []
  const message =
    `Etsy takes no ordinary second-hand items. Things that somebody else made must be vintage (made before ${year - 19}), ` +
    'a craft supply, or made by a production partner of your shop. ' +
    'If one of these is true, choose it. If none is, list this item elsewhere.'
  const vintage = erasOf(year).filter((era) => isVintage(era, year))
  const allowed = vintage.map((id) => ({ id, name: nameOfEra(id) }))
  return [{ field: 'options.when_made', code: 'not_allowed', message, blocking: true, allowed }]
}
