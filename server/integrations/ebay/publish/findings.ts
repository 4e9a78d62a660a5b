import { identifierOf } from '#server/integrations/item-texts/item-details.ts'
import { pictureFindings } from '#server/integrations/pictures.ts'
import type { Finding, PublishRequest } from '#server/integrations/port.ts'
import { titleMax } from '#shared/listing-limits.ts'
import { type AllowedCondition, newConditions } from '../condition.ts'
import { currencyOf, marketplacesFor } from '../marketplaces.ts'
import { aspectFindings, sizeFindings } from './aspect-findings.ts'
import type { Aspect } from './aspect-forms.ts'
import { cut } from './cut.ts'
import { isNotApplicable } from './local-terms.ts'
import { type LeastPrice, priceFindings } from './price-policy.ts'
import { codeOf, listed, maxProductField } from './product.ts'
import { isInUnion, isNorthernIrish, regulatoryOf } from './regulatory.ts'

/** Limits of a listing, in UTF-16 units. */
export const maxPictures = 24
export const maxConditionNotes = 1_000
/** Most characters of a condition descriptor in the seller's words. */
const maxDescriptor = 30

/** Sites whose listings the EU's General Product Safety Regulation covers. */
const european = new Set(['DE', 'FR', 'IT', 'ES', 'AT', 'BE', 'NL', 'IE', 'PL'].map((country) => `EBAY_${country}`))

/**
 * Returns findings about values that eBay would refuse or shorten. The choices are checked elsewhere. `aspects` and
 * `conditions`: those of the category. Pure.
 */
export function ebayFindings(
  request: PublishRequest,
  aspects: readonly Aspect[],
  site: { leastPrice?: LeastPrice | null; conditions?: readonly AllowedCondition[] } = {},
): Finding[] {
  const marketplace = String(request.options.marketplace_id ?? '')
  return [
    ...titleFindings(request.title),
    ...pictureFindings(request.images, { name: 'eBay', most: maxPictures }),
    ...mixedPictures(request.images),
    ...currencyFindings(request, marketplace),
    ...priceFindings(request, site.leastPrice ?? null),
    ...conditionFindings(request),
    ...descriptorFindings(request.options.condition_descriptors),
    ...aspectFindings(request, aspects),
    ...sizeFindings(request, aspects, site.conditions ?? []),
    ...identifierFindings(request),
    ...regulatoryFindings(request, marketplace),
  ]
}

function titleFindings(title: string): Finding[] {
  if (title.length <= titleMax.ebay) return []
  const message = `eBay takes ${titleMax.ebay} characters of a title: "${cut(title, titleMax.ebay)}".`
  return [{ field: 'title', code: 'shortened', message, blocking: false }]
}

/** eBay's own picture server. */
const eps = /^https?:\/\/([a-z0-9-]+\.)*ebayimg\.com\//i

/** Returns the finding that pictures of eBay's own server are mixed with others, which eBay refuses; none otherwise. */
export function mixedPictures(images: readonly string[]): Finding[] {
  const sent = images.slice(0, maxPictures)
  const theirs = sent.filter((address) => eps.test(address)).length
  if (theirs === 0 || theirs === sent.length) return []
  const message = `eBay takes no mix of photos that it keeps itself (${theirs} here) and others. Hapax copies those within minutes after an import; else replace them.`
  return [{ field: 'images', code: 'picture_format', message, blocking: true }]
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

function descriptorFindings(descriptors: unknown): Finding[] {
  return Object.entries((descriptors ?? {}) as Record<string, string>).flatMap(([id, value]): Finding[] => {
    if (value.length <= maxDescriptor) return []
    const message = `eBay takes ${maxDescriptor} characters there: "${cut(value, maxDescriptor)}".`
    return [{ field: `options.condition_descriptors.${id}`, code: 'too_long', message, blocking: true }]
  })
}

function identifierFindings(request: PublishRequest): Finding[] {
  const codes = listed.flatMap((name): Finding[] => {
    const identifier = identifierOf(request, name)
    if (identifier === null || isNotApplicable(identifier) || codeOf(identifier) !== null) return []
    const message = `"${identifier}" is no ${name.toUpperCase()}; it is left out.`
    return [{ field: `attributes.${name}`, code: 'ignored', message, blocking: false }]
  })
  const texts = (['brand', 'mpn'] as const).flatMap((name): Finding[] => {
    const value = identifierOf(request, name)
    if (value === null || value.length <= maxProductField) return []
    const label = name === 'mpn' ? 'part number' : 'brand'
    const message = `eBay takes ${maxProductField} characters of the ${label}: "${cut(value, maxProductField)}".`
    return [{ field: `attributes.${name}`, code: 'shortened', message, blocking: false }]
  })
  return [...codes, ...texts]
}

function regulatoryFindings(request: PublishRequest, site: string): Finding[] {
  const isEuropean = european.has(site)
  if (!isEuropean && !isNorthernIrish(request.address)) return []
  const field = 'attributes.regulatory'
  if (regulatoryOf(request) === null) {
    const message =
      'Business sellers in the EU and Northern Ireland must name the manufacturer or a responsible person. eBay may hide the listing without.'
    return [{ field, code: 'recommended', message, blocking: false }]
  }
  if (isInUnion(request)) return []
  const message =
    'eBay asks that the manufacturer or the responsible person is in the EU or Northern Ireland. Name a responsible person with an address there.'
  return [{ field, code: 'not_allowed', message, blocking: isEuropean }]
}
