import type { Sale } from '#shared/contract/selling/sales.ts'
import { platformOf } from '#shared/platforms.ts'
import { text } from './text.ts'

/** Returns the place of a sale as a name: the platform's, or "In person". */
export function placeName(place: Sale['platform']): string {
  return place === 'outside' ? text('sales.in_person') : platformOf(place).name
}

/** Returns the place of a sale inside a sentence: "on eBay", or "in person". */
export function placeText(place: Sale['platform']): string {
  return place === 'outside' ? text('sales.place.outside') : text('sales.place.on', { platform: placeName(place) })
}
