/** Weights and lengths in the units that people measure with. They are stored in whole grams and millimeters. */

export type System = 'us' | 'metric'

/** Countries that weigh in pounds and measure in inches. */
const customary = new Set('US PR GU VI AS MP UM LR MM'.split(' '))

/** Returns the units of the first locale that names a country (`en-GB`); those of the United States if none does. */
export function systemOfLocales(locales: readonly string[]): System {
  const region = locales.map((locale) => new Intl.Locale(locale).region).find((one) => one !== undefined)
  return systemOfCountry(region ?? null)
}

/** Returns the units of a country, those of the United States for none. */
export const systemOfCountry = (country: string | null): System =>
  country === null || customary.has(country) ? 'us' : 'metric'

/** Grams or millimeters of a unit. */
export interface Unit {
  of: 'weight' | 'length'
  size: number
}
const units: readonly (Unit & { names: string })[] = [
  { of: 'weight', size: 1, names: 'g gr gram grams gramm gramme grammes grammi gramos' },
  { of: 'weight', size: 1_000, names: 'kg kilo kilos kilogram kilograms kilogramm' },
  { of: 'weight', size: 28.349_523_125, names: 'oz ounce ounces' },
  { of: 'weight', size: 453.592_37, names: 'lb lbs pound pounds' },
  { of: 'length', size: 1, names: 'mm millimeter millimeters' },
  { of: 'length', size: 10, names: 'cm centimeter centimeters zentimeter' },
  { of: 'length', size: 25.4, names: 'in inch inches " ”' },
]
const unitByName = new Map(units.flatMap((unit) => unit.names.split(' ').map((name) => [name, unit] as const)))

/** Returns what a unit's name or sign means; undefined for other words. */
export const unitOf = (name: string): Unit | undefined => unitByName.get(name.trim().toLowerCase().replace(/\.$/, ''))

const grams = unitOf('g')!
const ounces = unitOf('oz')!
const millimeters = unitOf('mm')!
const inches = unitOf('in')!

/** The unit of a number without one. */
export const weightUnit = { us: ounces, metric: grams }
export const lengthUnit = { us: inches, metric: unitOf('cm')! }

/** Formats grams, as "1 lb 4 oz" or "450 g". */
export function weightText(weight: number, system: System): string {
  if (system === 'metric') return `${weight} g`
  const all = rounded(weight / ounces.size, 10)
  const pounds = Math.floor(all / 16)
  const rest = rounded(all - pounds * 16, 10)
  return [pounds > 0 && `${pounds} lb`, (rest > 0 || pounds === 0) && `${rest} oz`].filter(Boolean).join(' ')
}

/** Formats millimeters, as "12.25 in" or "31.1 cm". An eighth of an inch stays what was entered. */
export function lengthText(length: number, system: System): string {
  if (system === 'metric') return `${rounded(length / 10, 10)} cm`
  const eighth = rounded(length / inches.size, 8)
  const isEighth = Math.round(eighth * inches.size) === length
  return `${isEighth ? eighth : rounded(length / inches.size, 100)} in`
}

/**
 * Reads "1 lb 4 oz", "20 oz", "0.5 kg", "450" or "12,5 cm" as whole grams or millimeters, at least one. A number without
 * a unit has the given one. Returns null for anything else.
 */
export function readMeasure(text: string, bare: Unit): number | null {
  const line = text.trim().replaceAll(/\s+/g, ' ')
  const parts = [...line.matchAll(/(\d+(?:[.,]\d+)?|[.,]\d+) ?([a-z"”.]*) ?/giy)]
  const length = parts.reduce((sum, [part]) => sum + part.length, 0)
  if (parts.length === 0 || parts.length > 2 || length !== line.length) return null
  let total = 0
  for (const [, number = '', name = ''] of parts) {
    const unit = name === '' && parts.length === 1 ? bare : unitOf(name)
    if (unit?.of !== bare.of) return null
    total += Number(number.replace(',', '.')) * unit.size
  }
  const whole = Math.round(total)
  return whole >= 1 ? whole : null
}

/** Reads three lengths such as "12 x 8 x 4", "30 × 20 × 10 cm" or "300*200*100" as millimeters; null for others. */
export function readSides(text: string, bare: Unit = millimeters): [number, number, number] | null {
  const sides = text.split(/[x×*]/i)
  const unit = unitOf(sides.at(-1)!.replaceAll(/[\d.,\s]/g, '')) ?? bare
  const [length, width, height] = sides.map((side) => readMeasure(side, unit))
  return sides.length === 3 && length && width && height ? [length, width, height] : null
}

/** Rounds to the nearest part of one. */
const rounded = (value: number, parts: number) => Math.round(value * parts) / parts
