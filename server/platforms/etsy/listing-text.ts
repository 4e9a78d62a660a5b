import { load } from 'cheerio/slim'

const maxTitle = 140

/**
 * A title as Etsy takes it (platforms 2.3): letters, digits, punctuation, mathematical symbols, spaces, ™ © ®, and each of
 * `% : & +` once; at most 140 characters.
 */
export function etsyTitle(text: string): string {
  const seen = new Set<string>()
  const plain = text
    .normalize('NFC')
    .replace(/\s+/gu, ' ')
    .replace(/[^\p{L}\p{Nd}\p{P}\p{Sm}\p{Zs}™©®]/gu, '')
    .replace(/[%:&+]/g, (character) => {
      if (seen.has(character)) return character === '&' ? 'and' : ' '
      seen.add(character)
      return character
    })
    .replace(/ +/g, ' ')
    .trim()
  return plain
    .slice(0, maxTitle)
    .replace(/[\uD800-\uDBFF]$/, '')
    .trim()
}

/** A description as plain text: Etsy shows no HTML, and what sellers wrote for eBay is full of it. */
export function plainDescription(text: string): string {
  if (!/<\/?[a-z!][^>]*>|&(?:#\d+|#x[0-9a-f]+|[a-z]+);/i.test(text)) return text.trim()
  const page = load(text.replace(/<(?:br|\/p|\/div|\/li|\/h[1-6]|\/tr|\/table|\/ul|\/ol)\b[^>]*>/gi, '$&\n'))
  page('script, style, head, noscript, iframe').remove()
  return page
    .text()
    .replace(/[ \t\u00A0]+/g, ' ')
    .replace(/ *\n */g, '\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim()
}
