import { pictureFindings } from '#server/integrations/pictures.ts'
import type { Finding, PublishRequest } from '#server/integrations/port.ts'
import type { Categories } from '../taxonomy.ts'
import { etsyTitle } from './listing-text.ts'

/** Maximum pictures of a listing on Etsy. */
export const maxPictures = 20

/** Minimum price of a listing, in minor units of currencies with two decimals. */
const leastPrice = 20

/**
 * Returns findings about values that Etsy would refuse or change. The choices are checked elsewhere. `shopCurrency` is
 * the shop's currency; null if Etsy did not report it. Pure.
 */
export function etsyFindings(
  request: PublishRequest,
  { categories, shopCurrency }: { categories: Categories; shopCurrency: string | null },
): Finding[] {
  return [
    ...titleFindings(request.title),
    ...pictureFindings(request.images, { name: 'Etsy', most: maxPictures }),
    ...priceFindings(request, shopCurrency),
    ...optionFindings(request, categories),
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
  if (price_minor >= leastPrice || currency === 'JPY') return []
  return [{ field: 'price', code: 'price_too_low', message: 'Etsy takes prices from 0.20 up.', blocking: true }]
}

function optionFindings({ options }: PublishRequest, categories: Categories): Finding[] {
  const findings: Finding[] = []
  // The categories are unknown for some minutes after a failed call.
  if (categories.size > 0 && options.taxonomy_id !== undefined && !categories.has(Number(options.taxonomy_id))) {
    const message = `Etsy has no category ${String(options.taxonomy_id)}.`
    findings.push({ field: 'options.taxonomy_id', code: 'not_allowed', message, blocking: true })
  }
  if (options.who_made === 'someone_else' && options.when_made === 'made_to_order') {
    const message = 'What somebody else makes to order needs a production partner, which can be named on Etsy only.'
    findings.push({ field: 'options.when_made', code: 'not_allowed', message, blocking: true })
  }
  return findings
}
