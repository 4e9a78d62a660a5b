import { nearestPlace } from '#shared/app-places.ts'

/** Returns the path of the page where a seller signs in; it leads back to where the app is now. */
export const signInPath = () => `/connect/?to=${nearestPlace(location.hash)}`
