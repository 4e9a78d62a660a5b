import { appPlaces, nearestPlace } from '#shared/app-places.ts'

const name = 'left-place'

/** Remembers where this tab of the web app is, before it leaves to sign in or to connect a shop. */
export function keepPlace(): void {
  sessionStorage.setItem(name, location.hash)
}

/** Returns the fragment of the place that this tab left, once; null if it did not leave, or is led elsewhere now. */
export function takePlace(): string | null {
  const left = sessionStorage.getItem(name)
  sessionStorage.removeItem(name)
  return left !== null && ['', appPlaces[nearestPlace(left)]].includes(location.hash) ? left : null
}
