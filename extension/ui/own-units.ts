import { type System, systemOfLocales } from '#shared/units.ts'

/** Returns the units of the browser's country. */
export const ownUnits = (): System => systemOfLocales(navigator.languages)
