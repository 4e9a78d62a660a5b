import { createContext } from 'preact'
import { useContext } from 'preact/hooks'

/** True if the seller's server runs on this machine, where pictures may use plain HTTP. */
export const PicturesHere = createContext(false)

/** Returns `pictureAddress` for the current server. */
export function usePictureAddress(): (address: string | null | undefined) => string | null {
  const here = useContext(PicturesHere)
  return (address) => pictureAddress(address, here)
}

/**
 * Returns an address that is safe to load as a picture, or null. Pages supply these addresses, so only HTTPS is
 * allowed. Loopback is allowed if the server itself is `here`.
 */
export function pictureAddress(address: string | null | undefined, here: boolean): string | null {
  const url = address ? URL.parse(address) : null
  return url?.protocol === 'https:' || (here && url?.protocol === 'http:' && isHere(url)) ? address! : null
}

/** Returns true for a loopback address. */
export function isHere(url: URL | null): boolean {
  return url !== null && (url.hostname === '127.0.0.1' || url.hostname === 'localhost')
}
