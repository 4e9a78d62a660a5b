/** Where the seller is; `platform` is its name. Screens are given what they show and what they may do; this decides which is shown. */
export type Place =
  | { screen: 'home' }
  | { screen: 'account' }
  | { screen: 'issues'; job: string; platform: string }
  | { screen: 'conflict'; job: string; platform: string; item: string }

/** Where Escape leads. */
export function above(place: Place): Place {
  if (place.screen !== 'conflict') return { screen: 'home' }
  return { screen: 'issues', job: place.job, platform: place.platform }
}
