import { lengthText, lengthUnit, readMeasure, type System, unitOf } from './units.ts'

/** Measurements and other particulars of a kind of thing, as an item keeps them: lengths in millimeters, others as text. */
export type Particulars = Partial<Record<ParticularName, number | string>>

/** `small`: a length that is given in millimeters everywhere, as of watches. */
interface Particular {
  label: string
  as: 'length' | 'small' | 'text'
  /** Names of marketplaces' aspects and properties that take it. */
  aspects: readonly string[]
  /** How many times the length the aspects take: a waist that is laid flat is half of its size. */
  times: number
}

const length = (label: string, aspects = '', times = 1) => particular('length', label, aspects, times)
const small = (label: string, aspects = '') => particular('small', label, aspects)
const words = (label: string, aspects = '') => particular('text', label, aspects)

/** Every particular, by the name under which an item keeps it. */
export const particulars = {
  pit_to_pit: length('Pit to pit'),
  shoulders: length('Shoulder to shoulder'),
  sleeve: length('Sleeve'),
  garment_length: length('Garment length'),
  waist: length('Waist, laid flat', 'Waist Size', 2),
  hips: length('Hips, laid flat'),
  rise: length('Front rise'),
  inseam: length('Inseam', 'Inseam'),
  leg_opening: length('Leg opening'),
  insole: length('Insole'),
  outsole_width: length('Outsole width'),
  heel_height: length('Heel height', 'Heel Height'),
  shaft_height: length('Shaft height', 'Shaft Height'),
  circumference: length('Circumference', 'Circumference'),
  width: length('Width', 'Item Width, Bag Width, Width'),
  height: length('Height', 'Item Height, Bag Height, Height'),
  depth: length('Depth', 'Item Depth, Bag Depth, Depth'),
  length: length('Length', 'Item Length, Length'),
  diameter: length('Diameter', 'Item Diameter, Diameter'),
  strap_drop: length('Strap drop', 'Strap Drop, Handle Drop'),
  seat_height: length('Seat height', 'Seat Height'),
  frame_size: length('Frame size', 'Frame Size'),
  case_size: small('Case diameter', 'Case Size'),
  lug_width: small('Lug width', 'Lug Width'),
  filter_size: small('Filter thread', 'Filter Size'),
  movement: words('Movement', 'Movement'),
  reference_number: words('Reference number', 'Reference Number'),
  model: words('Model', 'Model'),
  serial_number: words('Serial number', 'Serial Number'),
  shutter_count: words('Shutter count', 'Shutter Count'),
  mount: words('Mount', 'Mount'),
  year_made: words('Year made', 'Year Manufactured, Year of Manufacture, Year'),
  author: words('Author', 'Author'),
  publisher: words('Publisher', 'Publisher'),
  publication_year: words('Publication year', 'Publication Year'),
  edition: words('Edition', 'Edition'),
  printing: words('Printing'),
  dust_jacket: words('Dust jacket'),
  signed_by: words('Signed by', 'Signed By, Signed by'),
  artist: words('Artist', 'Artist'),
  record_label: words('Label', 'Record Label'),
  catalog_number: words('Catalog number', 'Catalog Number'),
  release_year: words('Release year', 'Release Year'),
  record_grading: words('Record grading', 'Record Grading'),
  sleeve_grading: words('Sleeve grading', 'Sleeve Grading'),
  set: words('Set', 'Set'),
  card_number: words('Card number', 'Card Number'),
  grade: words('Grade', 'Grade'),
  certification_number: words('Certification number', 'Certification Number'),
  edition_number: words('Number of the edition', 'Edition Number'),
  technique: words('Technique', 'Production Technique'),
  metal: words('Metal', 'Metal'),
  metal_purity: words('Metal purity', 'Metal Purity'),
  main_stone: words('Main stone', 'Main Stone'),
  mark: words('Hallmark or maker’s mark'),
}
export type ParticularName = keyof typeof particulars
export const particularNames = Object.keys(particulars) as ParticularName[]

/** Returns a value as people read it, "21.5 in" or "54.6 cm"; null if it is not one of this particular. */
export function particularText(name: ParticularName, value: unknown, system: System): string | null {
  if (particulars[name].as === 'text') return typeof value === 'string' && value !== '' ? value : null
  if (typeof value !== 'number') return null
  return particulars[name].as === 'small' ? `${value} mm` : lengthText(value, system)
}

/** Reads what a seller typed: millimeters of a length, else the text. Null for a length that is none. */
export function readParticular(name: ParticularName, typed: string, system: System): number | string | null {
  const { as } = particulars[name]
  if (as === 'text') return typed.trim()
  const mm = readMeasure(withoutFraction(typed), as === 'small' ? unitOf('mm')! : lengthUnit[system])
  return mm !== null && mm <= longestMm ? mm : null
}

/** Writes "17 1/2" and "17½" as "17.5", as a tape measure is read. */
function withoutFraction(typed: string): string {
  const spaced = typed.replaceAll(/[¼-¾⅐-⅞]/g, ' $&').normalize('NFKD')
  return spaced.replace(/(\d{1,6})[ -]{1,3}(\d)[⁄/](\d{1,2})/, (_, whole, part, of) =>
    String(Number(whole) + part / of),
  )
}

/** The longest length in millimeters. */
export const longestMm = 100_000

/** Returns an item's particulars, each with its label and text, in the order of the table. */
export function particularLines(values: Particulars, system: System): { name: ParticularName; text: string }[] {
  return particularNames.flatMap((name) => {
    const text = particularText(name, values[name], system)
    return text === null ? [] : [{ name, text }]
  })
}

/** Returns the particulars by the lower-case names of the marketplaces' aspects that take them. */
export function particularAspects(values: Particulars, system: System): Record<string, string> {
  const found = particularNames.flatMap((name) => {
    const { aspects, times } = particulars[name]
    const value = values[name]
    const text = particularText(name, typeof value === 'number' ? value * times : value, system)
    return text === null ? [] : aspects.map((aspect) => [aspect.toLowerCase(), text])
  })
  return { ...Object.fromEntries(found), ...(values.signed_by ? { signed: 'Yes' } : {}) }
}

function particular(as: Particular['as'], label: string, aspects: string, times = 1): Particular {
  return { label, as, aspects: aspects.split(', ').filter(Boolean), times }
}
