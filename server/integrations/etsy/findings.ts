import { pictureFindings } from '../pictures.ts'
import type { Finding, PublishRequest } from '../port.ts'
import { etsyTitle } from './listing-text.ts'
import type { Categories } from './taxonomy.ts'

/** Most pictures of a listing on Etsy. */
export const maxPictures = 20

/** Least price of a listing, in the minor units of currencies with two decimals. */
const leastPrice = 20

/**
 * Returns what Etsy would refuse or change of an item with these options, beyond the choices. `shopCurrency`: the
 * currency that the shop lists in; null where Etsy did not say. Pure.
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
  const taken = etsyTitle(title)
  if (taken === '') {
    const message = 'Nothing is left of the title in the characters that Etsy takes.'
    return [{ field: 'title', code: 'not_allowed', message, blocking: true }]
  }
  if (taken === title.replace(/\s+/g, ' ').trim()) return []
  const message = `Etsy limits length and characters of a title: it becomes "${taken}".`
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
  // Etsy's categories are not known for some minutes after a failed call.
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
