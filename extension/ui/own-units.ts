import { lengthText, type System, systemOfLocales, weightText } from '#shared/units.ts'

/** Returns the units of the browser's country. */
export const ownUnits = (): System => systemOfLocales(navigator.languages)

/** Returns a weight as the seller may enter it. */
export const exampleWeight = () => weightText(ownUnits() === 'us' ? 567 : 450, ownUnits())

/** Returns three sides as the seller may enter them. */
export const exampleParcel = () =>
  (ownUnits() === 'us' ? [305, 203, 102] : [300, 200, 100]).map((side) => lengthText(side, ownUnits())).join(' x ')
