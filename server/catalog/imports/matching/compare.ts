import type { Features } from './features.ts'
import { samePhoto } from './photo-hash.ts'
import { weightOf } from './words.ts'

export type Likeness = 'surely' | 'possibly' | 'different'

export interface Comparison {
  likeness: Likeness
  /** Matching traits, in words for the seller. */
  reasons: string[]
}

/** Whether two descriptions agree, contradict each other, or leave it open. */
type Agreement = 'agrees' | 'contradicts' | 'open'

/**
 * Compares a listing with an item of another platform: are they the same physical thing? Pure.
 *
 * `surely` needs the same photo, the same size, one more matching trait and no contradiction. Sellers of several copies
 * use the same words, and shops share stock photos, so neither is enough alone. Even then nothing is linked without the
 * seller. `possibly` deserves the seller's look: the same photo, or matching words and one more trait.
 */
export function compare(one: Features, other: Features): Comparison {
  const title = titleLikeness(one, other)
  const signals = {
    photo: one.photos.some((photo) => other.photos.some((print) => samePhoto(photo, print))),
    brand: brandAgreement(one, other),
    size: setAgreement(one.size, other.size),
    color: setAgreement(one.colors, other.colors),
    model: setAgreement(one.models, other.models),
    decade: setAgreement(one.decades, other.decades),
    price: priceAgreement(one, other),
  }
  const reasons = [
    title >= 0.5 ? 'title' : null,
    signals.price === 'agrees' ? 'price' : null,
    signals.brand === 'agrees' ? 'brand' : null,
    signals.size === 'agrees' ? 'size' : null,
    signals.photo ? 'photo' : null,
  ].filter((reason) => reason !== null)
  return { likeness: weigh(title, signals), reasons }
}

interface Signals {
  photo: boolean
  brand: Agreement
  size: Agreement
  color: Agreement
  model: Agreement
  decade: Agreement
  price: Agreement
}

function weigh(title: number, signals: Signals): Likeness {
  const { photo, brand, size, color, model, decade, price } = signals
  const agreeing = [brand, size, price].filter((signal) => signal === 'agrees').length
  const contradicting = [brand, size, model].filter((signal) => signal === 'contradicts').length
  if (photo) {
    const words = (title >= 0.5 ? 1 : 0) + agreeing
    const clear = contradicting === 0 && ![color, price, decade].includes('contradicts')
    // A stock photo shows every size, so both sides must name the same one.
    if (clear && size === 'agrees' && title >= 0.3 && words >= 2) return 'surely'
    return contradicting > 0 && title < 0.3 ? 'different' : 'possibly'
  }
  if (contradicting > 0 || color === 'contradicts') return 'different'
  if (price === 'contradicts') return title >= 0.9 && agreeing >= 2 ? 'possibly' : 'different'
  if (title >= 0.7) return agreeing >= 1 || model === 'agrees' ? 'possibly' : 'different'
  if (title >= 0.5) return agreeing >= 2 || (model === 'agrees' && agreeing >= 1) ? 'possibly' : 'different'
  return title >= 0.35 && agreeing === 3 ? 'possibly' : 'different'
}

function titleLikeness(one: Features, other: Features): number {
  // Brand and color are compared separately. Without them the words say what kind of item it is.
  const setAside = new Set([...one.brand, ...other.brand, ...one.colors, ...other.colors])
  const rest = (side: Features) => [...side.words].filter((word) => !setAside.has(word))
  return wordLikeness(rest(one), rest(other))
}

/** Returns 0 to 1: the share of the shorter title's words in the other one, reduced by the longer one's extra words. */
function wordLikeness(one: readonly string[], other: readonly string[]): number {
  const weigh = (words: readonly string[]) => words.reduce((sum, word) => sum + weightOf(word), 0)
  const shared = weigh(one.filter((word) => other.includes(word)))
  const [first, second] = [weigh(one), weigh(other)]
  if (shared === 0) return 0
  const covered = shared / Math.min(first, second)
  const common = shared / (first + second - shared)
  return 0.7 * covered + 0.3 * common
}

/** Compares brands. A brand in the other side's title agrees too. */
function brandAgreement(one: Features, other: Features): Agreement {
  const within = (brand: readonly string[], side: Features) =>
    brand.length > 0 && brand.every((word) => side.words.has(word) || side.brand.includes(word))
  if (within(one.brand, other) || within(other.brand, one)) return 'agrees'
  return one.brand.length > 0 && other.brand.length > 0 ? 'contradicts' : 'open'
}

function setAgreement(one: ReadonlySet<string>, other: ReadonlySet<string>): Agreement {
  if (one.size === 0 || other.size === 0) return 'open'
  const shared = [...one].filter((part) => other.has(part)).length
  if (shared === Math.min(one.size, other.size)) return 'agrees'
  return shared === 0 ? 'contradicts' : 'open'
}

/** Returns whether the brands or the sizes of two descriptions contradict each other. */
export const contradict = (one: Features, other: Features): boolean =>
  brandAgreement(one, other) === 'contradicts' || setAgreement(one.size, other.size) === 'contradicts'

/** Compares prices. Sellers ask different prices on different platforms, but rarely twice as much. */
function priceAgreement(one: Features, other: Features): Agreement {
  if (one.currency !== other.currency || one.price_minor === 0 || other.price_minor === 0) return 'open'
  const ratio = Math.max(one.price_minor, other.price_minor) / Math.min(one.price_minor, other.price_minor)
  return ratio <= 1.3 ? 'agrees' : ratio > 2.2 ? 'contradicts' : 'open'
}
