import { createContext } from 'preact'
import { useContext } from 'preact/hooks'

/**
 * True where the seller's server is on this machine, as the sandbox of `npm start` is: its platforms' pictures are then
 * here as well, and not under https.
 */
export const PicturesHere = createContext(false)

/** `pictureAddress` for the server that the seller is signed in to. */
export function usePictureAddress(): (address: string | null | undefined) => string | null {
  const here = useContext(PicturesHere)
  return (address) => pictureAddress(address, here)
}

/**
 * An address that a picture may be asked for at, else null: https only, since it may have come from a platform's page and
 * must not reach into this machine, except where the server itself is `here`.
 */
export function pictureAddress(address: string | null | undefined, here: boolean): string | null {
  const url = address ? URL.parse(address) : null
  return url?.protocol === 'https:' || (here && url?.protocol === 'http:' && isHere(url)) ? address! : null
}

/** Whether an address is of this machine, where a server needs no https. */
export function isHere(url: URL | null): boolean {
  return url !== null && (url.hostname === '127.0.0.1' || url.hostname === 'localhost')
}
