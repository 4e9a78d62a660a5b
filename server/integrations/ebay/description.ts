import sanitizeHtml from 'sanitize-html'
import { isFormatted, plainText } from '#shared/plain-text.ts'

/** Maximum length of `Item.Description`. */
export const maxListingDescription = 500_000

/** HTML that eBay's policies allow: no active content, no outside links, pictures over https. */
const allowed: sanitizeHtml.IOptions = {
  allowedTags: (
    'b blockquote br center code dd div dl dt em h1 h2 h3 h4 h5 h6 hr i img li ol p pre s small span strong sub sup ' +
    'table tbody td tfoot th thead tr u ul'
  ).split(' '),
  allowedAttributes: { img: ['src', 'alt'], td: ['colspan', 'rowspan'], th: ['colspan', 'rowspan'] },
  allowedSchemes: ['https'],
  allowProtocolRelative: false,
  nonTextTags: ['script', 'style', 'textarea', 'option', 'noscript', 'template', 'title', 'object', 'applet', 'iframe'],
  exclusiveFilter: ({ tag, attribs }) => tag === 'img' && !attribs.src,
}

/** Elements of active or hostile content. */
const active = /<(script|style|iframe|object|embed|form|input|button|link|meta|svg|template)\b/i

/**
 * Returns a description as HTML for eBay. HTML is sanitized to eBay's policies; plain text is escaped and keeps its
 * line breaks. A description that is too long becomes plain text, cut between characters. An empty one becomes the
 * title.
 */
export function ebayDescription(description: string, title: string, maxLength: number): string {
  const isHtml = isFormatted(description) || active.test(description)
  const html = isHtml ? sanitizeHtml(description, allowed).trim() : rendered(description.trim())
  const isEmpty = plainText(html).trim() === '' && !html.includes('<img')
  if (isEmpty) return cut(title, maxLength)
  return html.length <= maxLength ? html : cut(isHtml ? plainText(html) : description.trim(), maxLength)
}

const references: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' }

/** Renders plain text as HTML. */
const rendered = (text: string) => [...lines(text)].join('')

/** Yields plain text as HTML pieces that must stay whole. */
function* lines(text: string): Generator<string> {
  for (const character of text.replace(/\r\n?/g, '\n')) {
    yield character === '\n' ? '<br>' : (references[character] ?? character)
  }
}

/** Renders the beginning of a plain text as HTML of at most `maxLength` UTF-16 units. */
function cut(text: string, maxLength: number): string {
  let html = ''
  for (const piece of lines(text)) {
    if (html.length + piece.length > maxLength) break
    html += piece
  }
  return html
}
