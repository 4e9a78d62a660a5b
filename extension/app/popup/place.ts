/** The inventory page of this extension. */
export const inventoryUrl = '/inventory.html'

/** The popup's current screen. `platform` is a name. */
export type Place =
  | { screen: 'home' }
  | { screen: 'account' }
  | { screen: 'issues'; job: string; platform: string }
  | { screen: 'conflict'; job: string; platform: string; item: string }

/** Returns the parent screen, for Escape. */
export function above(place: Place): Place {
  if (place.screen !== 'conflict') return { screen: 'home' }
  return { screen: 'issues', job: place.job, platform: place.platform }
}
