import { plain, tokens, withNear } from './words.ts'

/** Which option was chosen, and whether the seller should look at it. */
export interface Choice {
  index: number
  /** False: the nearest, not the same. */
  sure: boolean
}

/** The one option with these very words, whatever their case and signs; null for none and for more than one. */
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
 * The option for a size. "Medium", "M" and "M (8-10)" are one size, "US 8" and "8" are; sizes of other countries are
 * not. Null where no option, or more than one, could be meant: a wrong size is worse than none.
 */
export function chooseSize(labels: readonly string[], wanted: string): Choice | null {
  const same = chooseSame(labels, wanted)
  if (same) return same
  const size = sizeOf(wanted)
  if (size === '') return null
  const whole = only(labels, (label) => sizeOf(label) === size, true)
  if (whole) return whole
  // "M" of "M (8-10)": the part before the bracket is the size itself.
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

/** The option for a colour; "light blue" is, where it is not offered, a blue that the seller should look at. */
export function chooseColour(labels: readonly string[], wanted: string): Choice | null {
  const colour = colourOf(wanted)
  const same = only(labels, (label) => colourOf(label) === colour, true)
  if (same || colour === '') return same
  const last = colour.split(' ').at(-1)!
  const first = colour.split(' ')[0]!
  return (
    only(labels, (label) => colourOf(label) === last, false) ??
    only(labels, (label) => colourOf(label) === first, false)
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
 * The option of one level of categories. `path`: the item's own category, widest first; `hints`: other words about it,
 * such as its title. An option that is a part of the path is sure; one that shares more words than every other is the
 * nearest. Where several fit alike, further words decide among those and never pick a third; null where they cannot.
 */
export function chooseCategory(labels: readonly string[], path: readonly string[], hints = ''): Choice | null {
  const found = findCategory(labels, path, hints)
  return found === 'tie' ? null : found
}

/** True where several options of one level of categories fit alike, and the seller has to choose. */
export function isCategoryTied(labels: readonly string[], path: readonly string[], hints = ''): boolean {
  return findCategory(labels, path, hints) === 'tie'
}

function findCategory(labels: readonly string[], path: readonly string[], hints: string): Choice | 'tie' | null {
  let tied: number[] = []
  // The narrowest part first: "Women > Shoes > Boots" is at each level looked for from its end.
  for (const part of [...path].reverse()) {
    const same = chooseSame(labels, part) ?? byTokens(labels, (one) => sameSet(one, tokens(part)), true)
    if (same) return same
    tied = labels.flatMap((label, index) => (sameSet(tokens(label), tokens(part)) ? [index] : []))
    if (tied.length > 0) break
  }
  const words = path.flatMap(tokens)
  const others = tokens(hints)
  const steps: { words: string[]; order?: string[] }[] = [
    { words },
    { words: withNear(words) },
    { words: others, order: others },
    { words: withNear(others) },
  ]
  for (const step of steps) {
    const best = nearest(labels, tied, new Set(step.words), step.order)
    if (best.length === 1) return { index: best[0]!, sure: false }
    if (best.length > 1) tied = best
  }
  return tied.length > 0 ? 'tie' : null
}

function byTokens(labels: readonly string[], fits: (tokens: string[]) => boolean, sure: boolean): Choice | null {
  return only(labels, (label) => fits(tokens(label)), sure)
}

function sameSet(one: readonly string[], other: readonly string[]): boolean {
  return one.length > 0 && one.length === other.length && one.every((word) => other.includes(word))
}

/**
 * The labels that share the most words, and of those the ones that say the least else. At least half of a label's words.
 * `among`: indexes to decide among; empty for all. `order`: words in the order of a sentence, whose later ones say more
 * of what a thing is ("cashmere cardigan").
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
