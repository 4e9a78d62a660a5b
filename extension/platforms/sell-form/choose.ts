import { areOtherKinds, contradicts, isForOthers } from '#shared/title-kind.ts'
import { plain, tokens, withNear } from './words.ts'

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
export function chooseSize(labels: readonly string[], wanted: string): Choice | null {
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
 * such as the title. An option that equals a part of the path is sure. Otherwise the option with the most common words
 * is the nearest. Hints break ties, and a remaining tie returns null.
 */
export function chooseCategory(labels: readonly string[], path: readonly string[], hints = ''): Choice | null {
  const found = findCategory(labels, path, hints)
  return found === 'tie' ? null : found
}

/** Returns true if several options of one level fit equally well, so the seller has to choose. */
export function isCategoryTied(labels: readonly string[], path: readonly string[], hints = ''): boolean {
  return findCategory(labels, path, hints) === 'tie'
}

function findCategory(labels: readonly string[], path: readonly string[], hints: string): Choice | 'tie' | null {
  const isOther = (label: string) => areOtherKinds(hints, label) || isForOthers(hints, label)
  // Start with the narrowest part, such as "Boots" in "Women > Shoes > Boots". The title can rule it out.
  for (const part of [...path].reverse()) {
    const same = chooseSame(labels, part) ?? byTokens(labels, (one) => sameSet(one, tokens(part)), true)
    if (same && !isOther(labels[same.index]!)) return same
    const tied = labels.flatMap((label, index) => (sameSet(tokens(label), tokens(part)) ? [index] : []))
    if (tied.length > 1) return findAmong(labels, tied, path, hints)
  }
  // Title words count first: a denim jacket is no trench coat, nor is what the item's category does not name.
  const allowed = labels.flatMap((label, index) =>
    contradicts({ title: hints }, label) || areOtherKinds(path.join(', '), label) ? [] : [index],
  )
  if (allowed.length === labels.length) return findAmong(labels, [], path, hints)
  const found = allowed.length > 0 ? findAmong(labels, allowed, path, hints) : null
  // The item's category names an option that the title rules out: the seller knows which is right.
  const isRuledOut = nearest(labels, [], new Set(withNear(path.flatMap(tokens)))).length > 0
  return found ?? (isRuledOut ? 'tie' : null)
}

/** Finds the nearest option. `among`: indexes of the options that can be chosen, or empty for all. */
function findAmong(
  labels: readonly string[],
  among: readonly number[],
  path: readonly string[],
  hints: string,
): Choice | 'tie' | null {
  const words = path.flatMap(tokens)
  const others = tokens(hints)
  const isOpen = (index: number) => among.length === 0 || among.includes(index)
  // A part such as "Coats, Jackets & Vests" fits several options. A title that agrees with it decides, where it has all of
  // an option's words.
  const fitting = labels.flatMap((label, index) =>
    isOpen(index) && tokens(label).some((word) => words.includes(word)) ? [index] : [],
  )
  if (fitting.length > 1 && others.some((word) => words.includes(word))) {
    const named = labels.flatMap((label, index) => (isOpen(index) && isWithin(tokens(label), others) ? [index] : []))
    const both = named.filter((index) => fitting.includes(index))
    const best = both.length > 0 ? both : named
    const told = best.length > 0 ? nearest(labels, best, new Set(others), others) : []
    if (told.length === 1) return { index: told[0]!, sure: false }
  }
  const steps: { words: string[]; order?: string[] }[] = [
    { words },
    { words: withNear(words) },
    { words: others, order: others },
    { words: withNear(others) },
  ]
  let tied = [...among]
  let isTied = false
  for (const step of steps) {
    const best = nearest(labels, tied, new Set(step.words), step.order)
    if (best.length === 1) return { index: best[0]!, sure: false }
    if (best.length > 1) {
      tied = best
      isTied = true
    }
  }
  return isTied ? 'tie' : null
}

function isWithin(words: readonly string[], all: readonly string[]): boolean {
  return words.length > 0 && words.every((word) => all.includes(word))
}

function byTokens(labels: readonly string[], fits: (tokens: string[]) => boolean, sure: boolean): Choice | null {
  return only(labels, (label) => fits(tokens(label)), sure)
}

function sameSet(one: readonly string[], other: readonly string[]): boolean {
  return one.length > 0 && one.length === other.length && one.every((word) => other.includes(word))
}

/**
 * Returns the labels that share the most words, and among those the labels with the fewest other words. At least half of
 * a label's words must match. `among`: candidate indexes, or empty for all. `order`: words of a phrase, whose later
 * words are more specific ("cashmere cardigan").
 */
function nearest(
  labels: readonly string[],
  among: readonly number[],
  words: ReadonlySet<string>,
  order: readonly string[] = [],
): number[] {
  const scored = labels.map((label, index) => {
    if (among.length > 0 && !among.includes(index)) return 0
    const all = tokens(label)
    const shared = all.filter((word) => words.has(word))
    const enough = shared.length > 0 && shared.length * 2 >= all.length
    const last = Math.max(-1, ...shared.map((word) => order.lastIndexOf(word)))
    return enough ? shared.length + shared.length / all.length + last / 1_000 : 0
  })
  const best = Math.max(...scored, 0)
  return best === 0 ? [] : scored.flatMap((score, index) => (score === best ? [index] : []))
}

function only(labels: readonly string[], fits: (label: string) => boolean, sure: boolean): Choice | null {
  const index = labels.findIndex(fits)
  return index >= 0 && labels.findLastIndex(fits) === index ? { index, sure } : null
}
