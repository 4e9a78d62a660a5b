import { load } from 'cheerio/slim'

/** What ends a line where it ends. */
const blocks = /<(?:br|\/p|\/div|\/li|\/h[1-6]|\/tr|\/table|\/ul|\/ol)\b[^>]*>/gi

/**
 * A description as plain text. eBay's are HTML, which no other platform's form takes and no seller wants to read; a text
 * without tags and character references stays as it is, "5 < 6 & so on" included.
 */
export function plainText(description: string): string {
  if (!/<\/?[a-z!][^>]*>|&(?:#\d+|#x[0-9a-f]+|[a-z]+);/i.test(description)) return description
  const page = load(description.replace(blocks, '$&\n'))
  page('script, style, head, noscript, iframe').remove()
  return page
    .text()
    .replace(/[ \t\u00A0]+/g, ' ')
    .replace(/ *\r?\n */g, '\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim()
}
