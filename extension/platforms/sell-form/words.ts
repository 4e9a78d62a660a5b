/** Normalizes a text for comparison: lower case, no accents, single spaces, `&` as "and". */
export function plain(text: string): string {
  return text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/&/g, ' and ')
    .replace(/['’]/g, '')
    .replace(/[^\p{L}\p{N}.]+/gu, ' ')
    .replace(/(?<!\d)\.|\.(?!\d)/g, ' ')
    .replace(/\s+/g, ' ')
    .trim()
}

/** Synonyms. The first word of each list represents all of them. */
const synonyms: readonly (readonly string[])[] = [
  ['women', 'woman', 'womenswear', 'ladies', 'lady', 'female', 'womens'],
  ['men', 'man', 'menswear', 'male', 'mens', 'gents'],
  ['kid', 'kidswear', 'children', 'childrenswear', 'child', 'girl', 'boy', 'baby', 'toddler'],
  ['pant', 'trouser', 'slack'],
  ['denim', 'jean'],
  ['sweater', 'jumper', 'pullover', 'knitwear'],
  ['sneaker', 'trainer'],
  ['bag', 'handbag', 'purse'],
  ['tee', 'tshirt'],
  ['jewelry', 'jewellery'],
  ['swim', 'swimwear'],
  ['sunglass', 'eyewear'],
  ['gray', 'grey'],
  ['color', 'colour'],
]
const headOf = new Map(synonyms.flatMap((list) => list.map((word) => [word, list[0]!] as const)))

/** Words without meaning for a comparison. */
const empty = new Set([
  'and',
  'or',
  'the',
  'of',
  'for',
  'with',
  'in',
  'a',
  'other',
  'all',
  'clothing',
  'clothes',
  'length',
  'full',
])

/** Returns the significant words of a text, singular and with synonyms replaced. */
export function tokens(text: string): string[] {
  const words = plain(text).replace(/\bt shirt/g, 'tshirt')
  return [...new Set(words.split(' ').filter((word) => word !== '' && !empty.has(word)))].map((word) => {
    const head = headOf.get(word)
    if (head) return head
    const one = singular(word)
    return headOf.get(one) ?? one
  })
}

function singular(word: string): string {
  if (/ies$/.test(word) && word.length > 4) return `${word.slice(0, -3)}y`
  if (/(ss|us|is)$/.test(word)) return word
  if (/(sses|shes|ches|xes|zes)$/.test(word)) return word.slice(0, -2)
  return word.length > 3 && word.endsWith('s') ? word.slice(0, -1) : word
}
