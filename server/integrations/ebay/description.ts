import sanitizeHtml from 'sanitize-html'
import { isFormatted, plainText } from '#shared/plain-text.ts'

/** Most characters of `product.description`, and of an offer's `listingDescription`. */
export const maxProductDescription = 4_000
export const maxListingDescription = 500_000

/** The HTML that eBay's policies allow: no active content, no links to elsewhere, pictures over https. */
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

/** Elements that only active or hostile content has. */
const active = /<(script|style|iframe|object|embed|form|input|button|link|meta|svg|template)\b/i

/**
 * Returns a description as HTML for eBay, which renders it: HTML without what eBay's policies forbid, plain text with its
 * line breaks and its characters as they are. One that is too long becomes plain text and is cut between characters, never
 * through a tag or a reference. `title` stands in for an empty one.
 */
export function ebayDescription(description: string, title: string, maxLength: number): string {
  const isHtml = isFormatted(description) || active.test(description)
  const html = isHtml ? sanitizeHtml(description, allowed).trim() : rendered(description.trim())
  const isEmpty = plainText(html).trim() === '' && !html.includes('<img')
  if (isEmpty) return cut(title, maxLength)
  return html.length <= maxLength ? html : cut(isHtml ? plainText(html) : description.trim(), maxLength)
}

const references: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' }

/** Plain text as HTML. */
const rendered = (text: string) => [...lines(text)].join('')

/** The pieces of a plain text as HTML: none of them can be cut. */
function* lines(text: string): Generator<string> {
  for (const character of text.replace(/\r\n?/g, '\n')) {
    yield character === '\n' ? '<br>' : (references[character] ?? character)
  }
}

/** The beginning of a plain text as HTML of at most so many UTF-16 units. */
function cut(text: string, maxLength: number): string {
  let html = ''
  for (const piece of lines(text)) {
    if (html.length + piece.length > maxLength) break
    html += piece
  }
  return html
}
