import { createContext } from 'preact'
import { useContext, useState } from 'preact/hooks'
import { isHere, webAddress } from '#extension/messaging/web-address.ts'

export { isHere }

/** True if the seller's server runs on this machine, where pictures may use plain HTTP. */
export const PicturesHere = createContext(false)

/** Returns `pictureAddress` for the current server. */
export function usePictureAddress(): (address: string | null | undefined) => string | null {
  const here = useContext(PicturesHere)
  return (address) => pictureAddress(address, here)
}

/** Returns the attributes of a picture; null without a safe address, and once the address has failed. */
export function usePicture(address: string | null | undefined): { src: string; onError: () => void } | null {
  const src = usePictureAddress()(address)
  const [broken, setBroken] = useState<string | null>(null)
  return src === null || src === broken ? null : { src, onError: () => setBroken(src) }
}

/** Returns `webAddress` for the current server: a sandbox on this machine has listings there too. */
export function useWebAddress(): (address: string | null | undefined) => string | null {
  const here = useContext(PicturesHere)
  return (address) => webAddress(address, here)
}

/**
 * Returns an address that is safe to load as a picture, or null. Pages supply these addresses, so only HTTPS is
 * allowed. Loopback is allowed if the server itself is `here`.
 */
export function pictureAddress(address: string | null | undefined, here: boolean): string | null {
  return webAddress(address, here)
}
