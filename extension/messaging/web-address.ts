/** An address that a button may lead to: https only, since what a server sends may have come from a platform. */
export function webAddress(url: string | null | undefined): string | null {
  return url && URL.parse(url)?.protocol === 'https:' ? url : null
}
