export { cleanLine, cleanText } from '#shared/clean-text.ts'

const notInUri = /[^A-Za-z0-9\-._~:/?#@!$&'()*+,;=%]/g

/**
 * An http(s) address as a URI of RFC 3986, which is what the record's JSON Schema means by `uri` (a browser's URL may hold
 * `|` or a stray `%`). Null for anything else, and for an address that carries a user name or password.
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
