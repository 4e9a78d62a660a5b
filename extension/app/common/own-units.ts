import type { SellerSettings } from '#shared/contract/catalog/inventory.ts'
import { lengthText, type System, systemOfLocales, weightText } from '#shared/item/units.ts'
import { call } from '../host.ts'

let chosen: System | null = null

/** Returns the seller's settings, whose units the forms then use. */
export async function sellerSettings(): Promise<SellerSettings> {
  const settings = await call('getSettings', {})
  chosen = settings.units ?? null
  return settings
}

/** Returns the units of the seller's settings as they were last read, else of the browser's country. */
export const ownUnits = (): System => chosen ?? systemOfLocales(navigator.languages)

/** Returns a weight as the seller may enter it. */
export const exampleWeight = () => weightText(ownUnits() === 'us' ? 567 : 450, ownUnits())

/** Returns a measurement as the seller may enter it. */
export const exampleLength = () => lengthText(ownUnits() === 'us' ? 546 : 540, ownUnits())

/** Returns three sides as the seller may enter them. */
export const exampleParcel = () =>
  (ownUnits() === 'us' ? [305, 203, 102] : [300, 200, 100]).map((side) => lengthText(side, ownUnits())).join(' x ')
