export { cleanLine, cleanText } from '#shared/clean-text.ts'

const notInUri = /[^A-Za-z0-9\-._~:/?#@!$&'()*+,;=%]/g

/**
 * Returns an http(s) address as an RFC 3986 URI, which the record's JSON Schema requires (a browser's URL may contain
 * `|` or a stray `%`). Null for anything else, and for an address with a user name or password.
 */
export function httpUri(text: string): string | null {
  if (text.length > 4_000) return null
  const url = URL.parse(text.trim())
  if (!url || (url.protocol !== 'https:' && url.protocol !== 'http:')) return null
  if (url.username || url.password || !/^(\[[0-9a-f:.]+\]|[a-z0-9._-]+)$/.test(url.hostname)) return null
  const rest = `${url.pathname}${url.search}${url.hash}`
  const first = rest.indexOf('#')
  const escaped = rest
    .replace(/%(?![0-9A-Fa-f]{2})/g, '%25')
    .replace(notInUri, encodeURIComponent)
    // A fragment begins once.
    .replace(/#/g, (mark, at: number) => (at <= first || first < 0 ? mark : '%23'))
  return `${url.protocol}//${url.host}${escaped}`
}
