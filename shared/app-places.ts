/**
 * Places of the web app that mails, the server's pages and the extension lead to: the fragment of each, by the name that
 * `/connect/?to=` takes.
 */
export const appPlaces = {
  app: '',
  shops: '#shops',
  'sale-mail': '#sale-mail',
  account: '#account',
  address: '#account/address',
  security: '#account/security',
  subscription: '#account/subscription',
} as const

export type AppPlace = keyof typeof appPlaces
const names = Object.keys(appPlaces) as AppPlace[]

/** Returns the path of a place. */
export const appPath = (place: AppPlace): string => `/app/${appPlaces[place]}`

/** Returns the place of a name; null for any other text. */
export const appPlaceOf = (name: unknown): AppPlace | null => names.find((one) => one === name) ?? null

/** Returns the nearest place to a fragment. */
export function nearestPlace(fragment: string): AppPlace {
  const holds = (place: AppPlace) => fragment === appPlaces[place] || fragment.startsWith(`${appPlaces[place]}/`)
  return names.findLast(holds) ?? 'app'
}
