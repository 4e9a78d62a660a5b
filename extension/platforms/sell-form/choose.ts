import { fitOptions, isAnother, isDivided } from '#shared/item/title-kind.ts'
import { plain, tokens } from './words.ts'

/** The chosen option, and whether the seller should review it. */
export interface Choice {
  index: number
  /** False: the nearest option, not an equal one. */
  sure: boolean
}

/** Returns the only option with these words, ignoring case and punctuation. Null for none or several. */
export function chooseSame(labels: readonly string[], wanted: string): Choice | null {
  const words = plain(wanted)
  return words === '' ? null : only(labels, (label) => plain(label) === words, true)
}

const lengths: Record<string, string> = {
  'extra extra small': 'xxs',
  'extra small': 'xs',
  'x small': 'xs',
  small: 's',
  medium: 'm',
  large: 'l',
  'x large': 'xl',
  'extra large': 'xl',
  'xx large': 'xxl',
  'extra extra large': 'xxl',
  '2xl': 'xxl',
  '2x': 'xxl',
  '3xl': 'xxxl',
  '3x': 'xxxl',
  'one size': 'os',
  onesize: 'os',
  'one size fits all': 'os',
  osfa: 'os',
}

/**
 * Returns the option for a size. "Medium", "M" and "M (8-10)" are equal, as are "US 8" and "8". Sizes of other countries
 * are not. Returns null for no match or several, because a wrong size is worse than none.
 */
export function chooseSize(offered: readonly string[], wanted: string): Choice | null {
  // Some forms offer one size twice, under ids of their own.
  const labels = offered.map((label, index) => (offered.indexOf(label) === index ? label : ''))
  const same = chooseSame(labels, wanted)
  if (same) return same
  const size = sizeOf(wanted)
  if (size === '') return null
  const whole = only(labels, (label) => sizeOf(label) === size, true)
  if (whole) return whole
  // Compare the part before the bracket: "M" in "M (8-10)".
  return only(labels, (label) => sizeOf(beforeBracket(label)) === sizeOf(beforeBracket(wanted)), true)
}

function beforeBracket(text: string): string {
  return text.replace(/\(.*$/s, '').trim() || text
}

function sizeOf(text: string): string {
  const words = plain(text)
    .replace(/^size /, '')
    .replace(/^us(a)? /, '')
    .replace(/ us(a)?$/, '')
  return lengths[words] ?? words
}

const colours: Record<string, string> = {
  grey: 'gray',
  multicolor: 'multi',
  multicolour: 'multi',
  multicoloured: 'multi',
}

/** Shades and the colors that forms offer for them, the closest first. */
const shades: Record<string, readonly string[]> = {
  navy: ['blue'],
  teal: ['green', 'blue'],
  turquoise: ['blue', 'green'],
  aqua: ['blue'],
  indigo: ['blue', 'purple'],
  burgundy: ['red', 'purple'],
  maroon: ['red', 'brown'],
  wine: ['red'],
  rust: ['orange', 'brown'],
  coral: ['orange', 'pink'],
  peach: ['orange', 'pink'],
  mustard: ['yellow'],
  khaki: ['tan', 'beige', 'green', 'brown'],
  olive: ['green'],
  sage: ['green'],
  mint: ['green'],
  camel: ['tan', 'beige', 'brown'],
  taupe: ['tan', 'beige', 'brown', 'gray'],
  tan: ['beige', 'brown'],
  beige: ['tan', 'cream'],
  cream: ['ivory', 'white', 'beige'],
  ivory: ['cream', 'white'],
  charcoal: ['gray', 'black'],
  lavender: ['purple'],
  lilac: ['purple'],
  plum: ['purple'],
  mauve: ['purple', 'pink'],
  rose: ['pink'],
  fuchsia: ['pink'],
}

/** Returns the option for a color. "light blue" and "navy" fall back to "blue", which the seller should review. */
export function chooseColour(labels: readonly string[], wanted: string): Choice | null {
  const colour = colourOf(wanted)
  const same = only(labels, (label) => colourOf(label) === colour, true)
  if (same || colour === '') return same
  const last = colour.split(' ').at(-1)!
  const first = colour.split(' ')[0]!
  return (
    only(labels, (label) => colourOf(label) === last, false) ??
    only(labels, (label) => colourOf(label) === first, false) ??
    [last, first]
      .flatMap((word) => shades[word] ?? [])
      .map((near) => only(labels, (label) => colourOf(label) === near, false))
      .find((choice) => choice !== null) ??
    null
  )
}

function colourOf(text: string): string {
  const words = plain(text)
  return words
    .split(' ')
    .map((word) => colours[word] ?? word)
    .join(' ')
}

/**
 * Returns the option for one level of categories. `path` is the item's category, widest first. `hints` are other words,
 * such as the title, which can rule options out. An option that equals a part of the path is sure. Otherwise the option
 * whose kind is closest to the title's is the nearest, then the one with the most common words. A tie returns null.
 */
export function chooseCategory(labels: readonly string[], path: readonly string[], hints = ''): Choice | null {
  const found = findCategory(labels, path, hints)
  return found === 'tie' ? null : found
}

/**
 * Returns the label that names a whole category, such as "Women > Shoes > Boots". `nearly`: the only one with its first
 * and last part will do.
 */
export function choosePath(labels: readonly string[], path: readonly string[], nearly: boolean): Choice | null {
  const parts = labels.map((label) => (label.includes('>') ? label.split('>') : []))
  const isSame = (one = '', other = '') => sameSet(tokens(one), tokens(other))
  const whole = parts.findIndex((one) => one.length === path.length && one.every((part, at) => isSame(part, path[at])))
  if (whole >= 0) return { index: whole, sure: true }
  const ends = parts.map((one) => isSame(one[0], path[0]) && isSame(one.at(-1), path.at(-1)))
  return nearly && ends.filter(Boolean).length === 1 ? { index: ends.indexOf(true), sure: false } : null
}

/** Returns true if several options of one level fit equally well, so the seller has to choose. */
export function isCategoryTied(labels: readonly string[], path: readonly string[], hints = ''): boolean {
  return findCategory(labels, path, hints) === 'tie'
}

/** Words for people, of which `rank` takes care. */
const people = new Set(['women', 'men', 'kid'])

function findCategory(labels: readonly string[], path: readonly string[], hints: string): Choice | 'tie' | null {
  const fits = fitOptions(hints, path, labels)
  const highest = Math.max(...fits.filter(({ fits: isOpen }) => isOpen).map(({ rank }) => rank))
  // Start with the narrowest part, such as "Boots" in "Women > Shoes > Boots". The title can rule it out.
  for (const part of [...path].reverse()) {
    const same = chooseSame(labels, part) ?? only(labels, (label) => sameSet(tokens(label), tokens(part)), true)
    const rank = same ? fits[same.index]!.rank : 0
    if (same && !isAnother(hints, labels[same.index]!) && (rank === 0 || rank >= highest)) return same
  }
  const [title, category] = [tokens(hints), path.flatMap(tokens)]
  const scored = labels.flatMap((label, index) => {
    const { fits: isOpen, rank, modifiers } = fits[index]!
    const all = tokens(label)
    const repeated = all.filter((word) => !people.has(word) && (title.includes(word) || category.includes(word)))
    if (!isOpen || (rank === 0 && repeated.length * 2 < Math.max(1, all.length))) return []
    const more = modifiers.filter((word) => !tokens(word).some((token) => repeated.includes(token)))
    return [{ index, rank, repeated: repeated.length, more: more.length }]
  })
  const best = maximaOf(scored, ({ rank }) => rank)
  const nearest = maximaOf(best, ({ repeated, more }) => repeated - more / 10)
  const [found] = nearest
  if (!found) return null
  // "Lace up boots" beside "Heeled boots": a title that says neither leaves it to the seller.
  if (nearest.length > 1 || (best.length > 1 && found.rank > 0 && found.more > 0)) return 'tie'
  return fits[found.index]!.isKind && isDivided(hints, path) && namesAnother(labels, path, found.index)
    ? 'tie'
    : { index: found.index, sure: false }
}

function sameSet(one: readonly string[], other: readonly string[]): boolean {
  return one.length > 0 && one.length === other.length && one.every((word) => other.includes(word))
}

/** Returns whether the item's category names other options than a chosen one. */
function namesAnother(labels: readonly string[], path: readonly string[], chosen: number): boolean {
  const fits = fitOptions('', path.slice(-1), labels).map(({ fits: isOpen, rank }, index) => ({
    index,
    rank: isOpen ? rank : 0,
  }))
  const named = maximaOf(fits, ({ rank }) => rank).filter(({ rank }) => rank > 0)
  return named.length > 0 && !named.some(({ index }) => index === chosen)
}

function maximaOf<One>(all: readonly One[], measure: (one: One) => number): One[] {
  const most = Math.max(...all.map(measure))
  return all.filter((one) => measure(one) > most - 1e-9)
}

function only(labels: readonly string[], fits: (label: string) => boolean, sure: boolean): Choice | null {
  const index = labels.findIndex(fits)
  return index >= 0 && labels.findLastIndex(fits) === index ? { index, sure } : null
}
