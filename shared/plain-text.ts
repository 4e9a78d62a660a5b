/** What descriptions are formatted with. Anything else between angle brackets is a seller's own words. */
const formatting =
  /<\/?(?:a|b|blockquote|body|br|center|div|em|font|h[1-6]|hr|html|i|img|li|ol|p|small|span|strong|table|tbody|td|th|tr|u|ul)\b[^<>]*>/i
const reference = /&(?:#\d+|#x[0-9a-f]+|[a-z]+);/i

/** What is not for reading, with all that it holds. */
const hidden = /<!--[\s\S]*?(?:-->|$)|<(script|style|head|noscript|iframe|template)\b[^<>]*>[\s\S]*?(?:<\/\1\s*>|$)/gi
/** What ends a line where it ends. */
const lineEnds = /<(?:br|\/p|\/div|\/li|\/h[1-6]|\/tr|\/table|\/ul|\/ol)\b[^<>]*>/gi
const tags = /<[/!]?[a-z][^<>]*>/gi

/**
 * A description as plain text. eBay's are HTML, which no other platform takes and nobody wants to read; a text that is
 * not formatted stays as it is, "5 < 6 & so on" and "<clean>" included, but for character references.
 *
 * Its time grows with the length alone, whatever stands there: descriptions come from anybody, and are 600,000 characters
 * long at most (faults F18). So no tree is built of their tags, which would be as deep as somebody likes. `decode` gives a text
 * without tags its characters for their references.
 */
export function plainTextOf(description: string, decode: (text: string) => string): string {
  const withoutReferences = (text: string) => (reference.test(text) ? decode(text.replaceAll('<', '&lt;')) : text)
  if (!formatting.test(description)) return withoutReferences(description)
  const words = description.replace(hidden, '').replace(lineEnds, '\n').replace(tags, '')
  return withoutReferences(words)
    .replace(/[ \t\u00A0]+/g, ' ')
    .replace(/ ?\r?\n ?/g, '\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim()
}
