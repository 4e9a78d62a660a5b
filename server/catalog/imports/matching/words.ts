/** Filler words that say little about the item. */
const filler = new Set(
  `a an and the of in on for with by to from at or is it this vintage antique retro rare new nwt nwot euc guc vgc used
  worn authentic genuine original beautiful gorgeous lovely nice cute stunning unique one kind collectible estate find
  free gift wrap shipping fast sale seller favourite favorite great good excellent condition clean size sz style look
  item lot great old women womens woman ladies men mens man unisex adult boho hipster trendy classic casual y2k era
  clothing apparel fashion`.split(/\s+/),
)

/** Synonyms. */
const synonyms = new Map(
  `trousers:pants jumper:sweater pullover:sweater trainers:sneakers purse:bag handbag:bag tee:tshirt grey:gray
  burgundy:maroon navy:blue photography:photo colour:color jewellery:jewelry hoody:hoodie cardi:cardigan
  brogues:shoes analog:film analogue:film cm:centimeter inches:inch`
    .split(/\s+/)
    .map((pair) => pair.split(':') as [string, string]),
)

const colors = new Set(
  `black white gray silver red maroon pink orange yellow gold green olive teal blue turquoise purple violet brown tan
  beige cream ivory multicolor camel charcoal mustard rust khaki lavender lilac mint peach coral copper bronze taupe
  plum wine ochre aqua magenta fuchsia indigo cobalt emerald mauve salmon sand`.split(/\s+/),
)

/**
 * Splits a text into plain words: lower case, no accents, singular, one synonym. Numbers and their letters ("m3",
 * "501") stay.
 */
export function wordsOf(text: string): string[] {
  return text
    .normalize('NFKD')
    .replace(/[\p{M}'’]/gu, '')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '')
    .map((word) => synonyms.get(word) ?? synonyms.get(singular(word)) ?? singular(word))
}

/** Returns the decades among these words as two digits: "1980s", "80s" -> "80". */
export const decadesOf = (words: readonly string[]) =>
  words.flatMap((word) => /^(?:19|20)?(\d0)s$/.exec(word)?.[1] ?? [])

/** Returns how much a word says about the item. */
export function weightOf(word: string): number {
  if (filler.has(word)) return 0.1
  if (/^\d0s$|^(19|20)\d0s$/.test(word)) return 0.3
  return word.length < 2 ? 0.3 : 1
}

/** Returns the color words among these. */
export const colorsOf = (words: readonly string[]) => words.filter((word) => colors.has(word))

/**
 * Returns the words that tell models apart: with a digit, but no decade or size ("m3", "501", "no 12"). Two titles with
 * no common one differ.
 */
export const modelsOf = (words: readonly string[]) =>
  words.filter((word) => /\d/.test(word) && !/^(19|20)?\d0s$/.test(word) && !/^\d{1,2}$/.test(word))

function singular(word: string): string {
  if (word.length > 4 && /(?:ss|us|is)$/.test(word)) return word
  if (word.length > 4 && /(?:ch|sh|x|ss)es$/.test(word)) return word.slice(0, -2)
  return word.length > 3 && word.endsWith('s') && !/\d/.test(word) ? word.slice(0, -1) : word
}
