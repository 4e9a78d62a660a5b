import { load } from 'cheerio/slim'

/** What ends a line where it ends. */
const blocks = /<(?:br|\/p|\/div|\/li|\/h[1-6]|\/tr|\/table|\/ul|\/ol)\b[^>]*>/gi

/** What descriptions are formatted with. Anything else between angle brackets is a seller's own words. */
const formatting =
  /<\/?(?:a|b|blockquote|body|br|center|div|em|font|h[1-6]|hr|html|i|img|li|ol|p|small|span|strong|table|tbody|td|th|tr|u|ul)\b[^<>]*>/i
const reference = /&(?:#\d+|#x[0-9a-f]+|[a-z]+);/i

/**
 * A description as plain text. eBay's are HTML, which no other platform's form takes and no seller wants to read; a text
 * that is not formatted stays as it is, "5 < 6 & so on" and "<clean>" included, but for character references.
 */
export function plainText(description: string): string {
  if (!formatting.test(description)) {
    return reference.test(description) ? load(description.replaceAll('<', '&lt;')).text() : description
  }
  const page = load(description.replace(blocks, '$&\n'))
  page('script, style, head, noscript, iframe').remove()
  return page
    .text()
    .replace(/[ \t\u00A0]+/g, ' ')
    .replace(/ *\r?\n */g, '\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim()
}
