const place = '#sale-mail/confirm'
const kept = 'sale-mail-token'

/**
 * Takes the token of a mailed link out of the address bar. It stays in this tab, through signing in, until it is used.
 */
export function keepLinkToken(): void {
  const { hash, pathname, search } = location
  if (!hash.startsWith(`${place}?`)) return
  const token = new URLSearchParams(hash.slice(place.length)).get('token')
  if (token) sessionStorage.setItem(kept, token)
  history.replaceState(null, '', pathname + search + place)
}

/** Returns the token of a mailed link that was opened in this tab. */
export const readLinkToken = (): string | null => sessionStorage.getItem(kept)

/** Forgets the token once it has been answered. */
export const dropLinkToken = (): void => sessionStorage.removeItem(kept)
