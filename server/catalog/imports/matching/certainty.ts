import type { Match, MatchReason } from '#shared/contract/catalog/imports.ts'
import { type LookAlike, rankOf } from './look-alike.ts'
import { wordsOf } from './words.ts'

/** A title and a price, as far as a seller reads two of them as the same. */
export interface Offered {
  title: string
  price_minor: number
  currency: string
}

/** Returns what a comparison found to agree, telling what is the same from what is only close. Pure. */
export function matchReasons(traits: readonly string[], one: Offered, other: Offered): MatchReason[] {
  const sameTitle = wordsOf(one.title).join(' ') === wordsOf(other.title).join(' ')
  const samePrice = one.price_minor === other.price_minor && one.currency === other.currency
  const reasons: Record<string, MatchReason> = {
    title: sameTitle ? 'same_title' : 'similar_title',
    photo: 'same_photo',
    price: samePrice ? 'same_price' : 'similar_price',
    brand: 'same_brand',
    size: 'same_size',
  }
  return traits.flatMap((trait) => reasons[trait] ?? [])
}

/**
 * Returns how certain the best look-alike is the same thing. `certain` needs the matcher's own certainty and no second
 * item like it, because many may be linked at once without a look at each. Of two that agree as well none is likely. Pure.
 */
export function matchOfLookAlikes(lookAlikes: readonly LookAlike[]): Match | null {
  const [best, second] = lookAlikes
  if (!best) return null
  // A photo that is still to be compared may make another one the best.
  const states = lookAlikes.map((alike) => alike.photos)
  const photos = (['comparing', 'unread'] as const).find((state) => states.includes(state)) ?? null
  const has = (reason: MatchReason) => best.agreeing.includes(reason)
  const isLikely = best.verdict === 'surely' || has('same_photo') || (has('same_title') && best.agreeing.length >= 2)
  const isBest = !second || rankOf(best) > rankOf(second)
  const isCertain = best.verdict === 'surely' && second?.verdict !== 'surely'
  const certainty = isCertain ? 'certain' : isLikely && isBest ? 'likely' : 'unsure'
  return { certainty, reasons: best.agreeing, photos }
}

/**
 * Returns how certain the holder of the listing's SKU is the same thing. A SKU alone is weak: sellers reuse them. With
 * a look-alike on another platform it is certain. Pure.
 */
export function matchOfSku(
  title: string,
  holder: { uid: string; title: string },
  lookAlikes: readonly LookAlike[],
): Match {
  const alike = lookAlikes.find(({ item }) => item.uid === holder.uid)
  if (alike) return { certainty: 'certain', reasons: ['same_sku', ...alike.agreeing], photos: alike.photos ?? null }
  const isSameTitle = wordsOf(title).join(' ') === wordsOf(holder.title).join(' ')
  return isSameTitle
    ? { certainty: 'likely', reasons: ['same_sku', 'same_title'] }
    : { certainty: 'unsure', reasons: ['same_sku'] }
}
