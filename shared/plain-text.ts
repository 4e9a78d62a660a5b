import { decodeHTML } from 'entities'

/** Elements that format descriptions. Other text in angle brackets is the seller's own. */
const formatting = new Set(
  `a b blockquote body br center div em font h1 h2 h3 h4 h5 h6 hr html i img li ol p small span strong table tbody td th
   tr u ul`.split(/\s+/),
)
const elements = /<\/?([a-z][a-z0-9]*)\b[^<>]*>/gi
const reference = /&(?:#\d+|#x[0-9a-f]+|[a-z]+);/i

/** The start of a comment, or of an element whose content is not text. */
const hidden = /<!--|<(script|style|head|noscript|iframe|template)\b[^<>]*>/gi
/** Tags that end a line. */
const lineEnds = /<(?:br|\/p|\/div|\/li|\/h[1-6]|\/tr|\/table|\/ul|\/ol)\b[^<>]*>/gi
/** Tags that begin a line. Those before them may be missing the tags that end theirs. */
const lineStarts = /<(?:p|div|li|h[1-6]|tr|table|ul|ol)\b[^<>]*>/gi
/** Tags that end a table cell. */
const cellEnds = /<\/t[dh]\b[^<>]*>/gi
const tags = /<[/!]?[a-z][^<>]*>/gi

/**
 * Returns a description as plain text: eBay sends HTML, and no other platform takes it. Text without formatting stays as
 * it is, "5 < 6 & so on" and "<clean>" included, except for character references.
 *
 * Runs in linear time and builds no tree: descriptions come from strangers and have up to 600,000 characters.
 */
export function plainText(description: string): string {
  if (!isFormatted(description)) return withoutReferences(description)
  const words = withoutHidden(description)
    .replace(lineEnds, '\n')
    .replace(lineStarts, '\v')
    .replace(cellEnds, ' ')
    .replace(tags, '')
  return withoutReferences(words)
    .replace(/[ \t\u00A0]+/g, ' ')
    .replace(/ ?\r?\n ?/g, '\n')
    .replace(/[ \n\v]+/g, (space) => (space.includes('\v') ? beginLine(space) : space))
    .replace(/\n{3,}/g, '\n\n')
    .trim()
}

/** Returns the line ends of white space in which a line begins: those that are there, else one. */
const beginLine = (space: string) => '\n'.repeat(Math.max(1, space.split('\n').length - 1))

function withoutReferences(text: string): string {
  return reference.test(text) ? decodeHTML(text) : text
}

/** Returns whether a text is HTML, not a seller's words in angle brackets. */
export function isFormatted(text: string): boolean {
  for (const [, name = ''] of text.matchAll(elements)) if (formatting.has(name.toLowerCase())) return true
  return false
}

/**
 * Removes comments and hidden elements with their content; an unclosed one extends to the end. A single regular
 * expression would need a backreference and superlinear time.
 */
function withoutHidden(html: string): string {
  let kept = ''
  let from = 0
  hidden.lastIndex = 0
  for (let start = hidden.exec(html); start; start = hidden.exec(html)) {
    kept += html.slice(from, start.index)
    const end = start[1] ? new RegExp(`</${start[1]}\\s*>`, 'gi') : /-->/g
    // "<!-->" is not a whole comment: its end must follow its start.
    end.lastIndex = hidden.lastIndex
    if (!end.test(html)) return kept
    from = end.lastIndex
    hidden.lastIndex = from
  }
  return kept + html.slice(from)
}
