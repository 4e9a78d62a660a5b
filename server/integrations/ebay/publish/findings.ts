import { identifierOf } from '#server/integrations/item-details.ts'
import { pictureFindings } from '#server/integrations/pictures.ts'
import type { Finding, PublishRequest } from '#server/integrations/port.ts'
import { newConditions } from '../condition.ts'
import { currencyOf, marketplacesFor } from '../marketplaces.ts'
import { codeOf, listed } from './product.ts'
import { regulatoryOf } from './regulatory.ts'

/** Limits of an inventory item at eBay, in UTF-16 units. */
export const maxTitle = 80
export const maxPictures = 24
export const maxConditionNotes = 1_000
const maxAspectValue = 65

/** Sites whose listings the EU's General Product Safety Regulation covers. */
const european = new Set(['DE', 'FR', 'IT', 'ES', 'AT', 'BE', 'NL', 'IE', 'PL'].map((country) => `EBAY_${country}`))

/** Returns findings about values that eBay would refuse or shorten. The choices are checked elsewhere. Pure. */
export function ebayFindings(request: PublishRequest): Finding[] {
  const site = String(request.options.marketplace_id ?? '')
  return [
    ...titleFindings(request.title),
    ...pictureFindings(request.images, { name: 'eBay', most: maxPictures }),
    ...currencyFindings(request, site),
    ...conditionFindings(request),
    ...aspectFindings(request.options.aspects),
    ...identifierFindings(request),
    ...regulatoryFindings(request, site),
  ]
}

/** Cuts a text to at most `length` UTF-16 units without splitting a surrogate pair. */
export function cut(text: string, length: number): string {
  return text.slice(0, length).replace(/[\uD800-\uDBFF]$/, '')
}

function titleFindings(title: string): Finding[] {
  if (title.length <= maxTitle) return []
  const message = `eBay takes ${maxTitle} characters of a title: "${cut(title, maxTitle)}".`
  return [{ field: 'title', code: 'shortened', message, blocking: false }]
}

function currencyFindings({ currency, address }: PublishRequest, site: string): Finding[] {
  const offered = marketplacesFor(currency, address.country)
  if (offered.length === 0) {
    return [{ field: 'currency', code: 'currency', message: `No eBay site lists in ${currency}.`, blocking: true }]
  }
  const wanted = currencyOf(site)
  if (wanted === null || wanted === currency) return []
  const message = `${site} lists in ${wanted}, and the price is in ${currency}.`
  const allowed = offered.map(({ id, name }) => ({ id, name }))
  return [{ field: 'options.marketplace_id', code: 'currency', message, blocking: true, allowed }]
}

function conditionFindings({ condition, options }: PublishRequest): Finding[] {
  const notes = condition.notes.trim()
  const field = 'condition.notes'
  if (notes && newConditions.has(String(options.condition))) {
    const message = 'eBay shows condition notes for used items only; they are left out.'
    return [{ field, code: 'ignored', message, blocking: false }]
  }
  if (notes.length <= maxConditionNotes) return []
  const message = `eBay takes ${maxConditionNotes} characters of condition notes; the rest is left out.`
  return [{ field, code: 'shortened', message, blocking: false }]
}

function aspectFindings(aspects: unknown): Finding[] {
  return Object.entries((aspects ?? {}) as Record<string, string[]>).flatMap(([name, values]): Finding[] => {
    if (values.every((value) => value.length <= maxAspectValue)) return []
    const message = `eBay takes ${maxAspectValue} characters for ${name}.`
    return [{ field: `options.aspects.${name}`, code: 'too_long', message, blocking: true }]
  })
}

function identifierFindings(request: PublishRequest): Finding[] {
  return listed.flatMap((name): Finding[] => {
    const identifier = identifierOf(request, name)
    if (identifier === null || codeOf(identifier) !== null) return []
    const message = `"${identifier}" is no ${name.toUpperCase()}; it is left out.`
    return [{ field: `attributes.${name}`, code: 'ignored', message, blocking: false }]
  })
}

function regulatoryFindings(request: PublishRequest, site: string): Finding[] {
  if (!european.has(site) || regulatoryOf(request) !== null) return []
  const message =
    'Business sellers in the EU must name the manufacturer or a responsible person. eBay may hide the listing without.'
  return [{ field: 'attributes.regulatory', code: 'recommended', message, blocking: false }]
}
