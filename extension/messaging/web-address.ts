/**
 * Returns the address if it is safe for a link: HTTPS only, since it may come from a platform. Loopback is allowed if the
 * seller's server itself is `here`.
 */
export function webAddress(address: string | null | undefined, here = false): string | null {
  const url = address ? URL.parse(address) : null
  return url?.protocol === 'https:' || (here && url?.protocol === 'http:' && isHere(url)) ? address! : null
}

/** Returns true for a loopback address. */
export function isHere(url: URL | null): boolean {
  return url !== null && (url.hostname === '127.0.0.1' || url.hostname === 'localhost')
}
