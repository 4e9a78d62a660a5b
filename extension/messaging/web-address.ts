/** Returns the address if it is safe for a link: HTTPS only, since it may come from a platform. */
export function webAddress(url: string | null | undefined): string | null {
  return url && URL.parse(url)?.protocol === 'https:' ? url : null
}
