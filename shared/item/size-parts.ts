const letterSizes: Record<string, string> = {
  xsmall: 'xs',
  small: 's',
  medium: 'm',
  med: 'm',
  large: 'l',
  xlarge: 'xl',
  xxlarge: 'xxl',
}

/** Splits a size into comparable parts: "W32 L30", "32x30" -> {32, 30}; "Medium (M)" -> {m}. May be empty. */
export function sizeParts(size: string): Set<string> {
  const sizes = wordsOf(size).filter((part) => isNumber(part) || letters.test(part))
  return new Set(sizes.map((part) => part.replace(',', '.').replace(/\.0$/, '')))
}

const letters = /^(?:x*s|m|x*l|os)$/
const isNumber = (part: string) => /^\d/.test(part)

/** Splits a size into its numbers and words in their order, letter sizes in one form. */
function wordsOf(size: string): string[] {
  const text = size
    .toLowerCase()
    .replace(/\bextra[\s-]+(?=small|large|extra)/g, 'x')
    .replace(/\b(x+)[\s-]*(small|large)\b/g, '$1$2')
    .replace(/\b([2-6])x(?=[sl]\b)/g, (_, count) => 'x'.repeat(Number(count)))
    .replace(/(\d)([a-z])|([a-z])(\d)/g, (pair) => `${pair[0]} ${pair[1]}`)
  const parts = text.match(/\d+(?:[.,]\d+)?|[a-z]+/g) ?? []
  return parts.map((part) => letterSizes[part] ?? part)
}

/** Sizes that say nothing: one size, none. */
const noSize = /^(?:os|one size(?: fits (?:all|most))?|n\/?a|none|-)$/i

/** Words that make another size of the same number, with the words that sellers use for them. */
const kinds: Record<string, RegExp> = {
  months: /^(?:m[ot]s?|months?)$/,
  years: /^(?:y|yrs?|years?)$/,
  toddler: /^(?:t|toddler)$/,
  petite: /^(?:p|petites?)$/,
  tall: /^tall$/,
  plus: /^(?:w|plus)$/,
}

/** Cups of a bra, widths of a shoe and lengths of a jacket: a listing often leaves them out. */
const detail = /^(?:[a-k]|aa|dd+|e{2,4}|regular|short|long|wide|narrow)$/
const jacketLengths: Record<string, string> = { s: 'short', r: 'regular', l: 'long' }

/** Waist by length. */
const pair = /\b(\d{1,3})\s{0,3}[x×/l]\s{0,3}(\d{1,3})\b/i

/**
 * Returns whether two sizes are of different things: numbers or letters that have nothing in common, waist and length the
 * other way round, months and years, another cup or width. A size that says less than the other does not differ by that.
 */
export function sizesDiffer(one: string, other: string): boolean {
  if ([one, other].some((size) => noSize.test(size.trim()))) return false
  const [left, right] = [describe(one), describe(other)]
  if (left.pair && right.pair && left.pair !== right.pair) return true
  const isDisjoint = (own: readonly string[], their: readonly string[]) =>
    own.length > 0 && their.length > 0 && !own.some((part) => their.includes(part))
  return (
    isDisjoint(left.numbers, right.numbers) ||
    isDisjoint(left.letters, right.letters) ||
    isDisjoint(left.details, right.details) ||
    // Months are no years, and a petite medium is no medium.
    (left.hasSize && right.hasSize && left.kinds.join() !== right.kinds.join())
  )
}

function describe(size: string) {
  const lower = size.toLowerCase().replace(/\bw\s{0,3}(?=\d)/g, '')
  const [, waist, length] = pair.exec(lower) ?? []
  // "MP" and "XLT" are letters with a kind, "2E" is a width, "42L" a long jacket, and W32 a waist.
  const text = (waist ? lower.replace(pair, ` ${waist} ${length} `) : lower)
    .replace(/\b(x*[sl]|m)([pt])\b/g, (_, letter, kind) => `${letter} ${kind === 'p' ? 'petite' : 'tall'}`)
    .replace(/\b([2-4])e\b/g, (_, count) => ` ${'e'.repeat(Number(count))} `)
    .replace(/\b([3-5]\d)\s*([srl])\b/g, (_, chest, letter) => `${chest} ${jacketLengths[letter]}`)
  const parts = [...sizeParts(text)]
  const words = wordsOf(text)
  const numbers = parts.filter(isNumber)
  const own = parts.filter((part) => !isNumber(part))
  return {
    pair: waist ? `${waist}x${length}` : null,
    numbers,
    letters: own,
    details: words.filter((word) => detail.test(word)),
    kinds: Object.keys(kinds).filter((kind) => words.some((word) => kinds[kind]!.test(word))),
    hasSize: parts.length > 0,
  }
}
