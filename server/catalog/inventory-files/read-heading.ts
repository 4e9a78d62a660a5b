import { problem } from '#server/infra/errors.ts'
import type { FileFormat, FileKind } from '#shared/contract/catalog/inventory-files.ts'
import type { FieldError } from '#shared/contract/declaring/errors.ts'
import { type Cells, columns } from './columns.ts'
import { refusedKind, refuseOtherKinds } from './file-kinds.ts'
import { type LeftOut, type RoleCell, roleOf, whyLeftOut } from './for-sale.ts'
import { foldHeading, inOwnUnits, isBareTitle, meaningOf, readsLike, signIn } from './headings.ts'
import { bareName, currencyIn, hasNotes, type Preset, presetOf, saysMore, translateRow } from './presets.ts'
import { askingPriceOf, findPriceColumns, holdsPrice, type PriceColumns } from './reading/asking-price.ts'
import { currencyOf, type Sign } from './reading/currency-signs.ts'
import { refuseFile } from './refuse-file.ts'

/** The line of column names of a file. */
export interface Heading {
  format: FileFormat
  kind: FileKind
  preset: Preset | null
  /** As the file writes them. */
  written: readonly string[]
  /** In the form that presets know. */
  names: readonly string[]
  /** Our column of each; null for one that is not imported. */
  ours: readonly (string | null)[]
  /** The part that each plays in saying whether an item is for sale. */
  roles: readonly (RoleCell['role'] | null)[]
  /** The columns that say the price. */
  prices: PriceColumns
  /** Places of the columns with a picture each. */
  pictures: ReadonlySet<number>
  /** The currency that the headings name. */
  currency: string | null
  /** The signs beside the names of its amounts, as in "Price ($)". */
  signs: readonly Sign[]
  /** Places of columns without a name that have texts. */
  nameless: Set<number>
  /** Places of columns with notes of which only a part is read. */
  partlyRead: Set<number>
}

export interface Row {
  cells: Cells
  /** Why the row is left out, for example because the item is sold; null if it is not. */
  left: LeftOut | null
  /** Why its cells cannot be read. */
  errors?: FieldError[]
  /** The signs of currencies, where no column names the currency. */
  signs?: readonly Sign[]
}

/** Cells of a line in which known names are looked for. */
const maxSearched = 1_000

/** Columns of which a file has one at least. */
export const identifying = ['uid', 'sku', 'title']

const ownColumns = new Map(columns.map((column) => [foldHeading(column), column]))
const picture = /^(?:image|picture|photo|pic|bild|foto|immagine|imagen|afbeelding)(?:url|link|src)?\d+(?:url|link)?$/

/**
 * Reads a line of column names; null for one without uid, sku and title. Throws 400 `file_not_stock` for a file of sales,
 * orders or payouts, 400 `file_not_understood` for one whose titles or prices would be lost, 400 for a column given
 * twice, and 400 `two_prices` for two columns that could be the price.
 */
export function readHeading(cells: readonly string[]): Heading | null {
  refuseOtherKinds(cells)
  const names = cells.map(bareName)
  const preset = presetOf(names)
  const seen = new Map<string, number>()
  for (const [index, name] of names.entries()) {
    const first = seen.get(name)
    if (name !== '' && first !== undefined) {
      throw refuseFile('column_given_twice', `The column "${cells[first]!.trim().slice(0, 50)}" is given twice.`)
    }
    seen.set(name, index)
  }
  const prices = findPriceColumns(cells, preset?.prices ?? (names.includes('uid') ? exportPrices : noPrices))
  const isPrice = (index: number) => holdsPrice(prices, prices.roles[index]!, preset?.format === 'ebay')
  const { ours, currency, isForeign } = preset
    ? columnsOfPreset(preset, cells, names, isPrice)
    : columnsOfSheet(cells, isPrice)
  if (!identifying.some((name) => ours.includes(name))) return null
  const heading: Heading = {
    ...{ format: preset?.format ?? 'hapax', preset, written: cells.map((cell) => cell.trim()), names, ours, currency },
    prices,
    signs: cells.flatMap((cell, at) => (ours[at] === 'price' || ours[at] === 'cost' ? (signIn(cell) ?? []) : [])),
    kind: preset?.isCatalog?.(new Set(names)) ? 'catalog' : 'stock',
    roles: cells.map((cell, index) => {
      const role = preset?.quantity?.test(names[index]!) ? 'quantity' : roleOf(cell)
      // eBay renews listings when they end.
      return role === 'end' && preset?.format === 'ebay' ? null : role
    }),
    pictures: new Set(names.flatMap((name, index) => (picture.test(name) ? [index] : []))),
    nameless: new Set(),
    partlyRead: new Set(),
  }
  requireUnderstood(heading, isForeign)
  return heading
}

const noPrices = new Map()
/** The export is read back, whatever columns were put beside it. */
const exportPrices = new Map([['price', 'listing'] as const])

/** Returns whether a line names the columns of a file, of whatever kind. */
export function isHeading(all: readonly string[]): boolean {
  const cells = all.slice(0, maxSearched)
  if (refusedKind(cells) !== null) return true
  const preset = presetOf(cells.map(bareName))
  return (
    preset !== null ||
    columnsOfSheet(cells, () => false).ours.some((name) => name !== null && identifying.includes(name))
  )
}

interface Columns {
  ours: (string | null)[]
  currency: string | null
  isForeign: boolean
}

/** Columns of ours that a program's file cannot fill. */
const notTheirs = ['uid', 'state', 'product_id', 'price']

function columnsOfPreset(
  preset: Preset,
  cells: readonly string[],
  names: readonly string[],
  isPrice: (index: number) => boolean,
): Columns {
  const meanings = cells.map((cell) => meaningOf(cell, ownColumns))
  const ours = names.map((name, index) => {
    if (isPrice(index)) return 'price'
    const column = preset.columns.get(name) ?? meanings[index]?.column ?? null
    const isKnown =
      preset.columns.has(name) || !(column !== null && [...notTheirs, ...preset.onlyTheirs].includes(column))
    return isKnown && column !== 'price' ? column : null
  })
  return {
    ours,
    currency: currencyIn(cells) ?? meanings[ours.indexOf('price')]?.currency ?? null,
    isForeign:
      names.some((name) => preset.foreign.has(name)) || meanings.some((one, index) => one?.isForeign && ours[index]),
  }
}

/** Finds our columns in someone's own sheet. Of several headings for one column, our own name counts, else the first. */
function columnsOfSheet(cells: readonly string[], isPrice: (index: number) => boolean): Columns {
  const meanings = cells.map((cell) => meaningOf(cell, ownColumns))
  const places = new Map<string, number>()
  for (const [index, meaning] of meanings.entries()) {
    if (!meaning) continue
    const isOwn = ownColumns.has(foldHeading(cells[index]!))
    if (isOwn || !places.has(meaning.column)) places.set(meaning.column, index)
  }
  const ours = meanings.map((meaning, index) => {
    if (meaning?.column === 'price') return isPrice(index) ? 'price' : null
    return meaning && places.get(meaning.column) === index ? meaning.column : null
  })
  if (!ours.includes('title') && (ours.includes('price') || ours.includes('sku'))) {
    const bare = cells.findIndex((cell, index) => ours[index] === null && isBareTitle(cell))
    if (bare !== -1) ours[bare] = 'title'
  }
  const currencyFor = (column: string) => meanings[ours.indexOf(column)]?.currency ?? null
  const currency = currencyFor('price') ?? currencyFor('cost')
  // A cost in another currency than the price cannot be kept.
  const cost = ours.indexOf('cost')
  if (cost !== -1 && currencyFor('cost') !== null && currencyFor('cost') !== currency) ours[cost] = null
  return { ours, currency, isForeign: meanings.some((meaning) => meaning?.isForeign) }
}

/** Throws 400 for a file that would be half read, because nobody knows which of its columns holds the titles or prices. */
function requireUnderstood(heading: Heading, isForeign: boolean): void {
  const unknown = ignoredColumns(heading)
  const lost = (['title', 'price'] as const).find((column) => {
    if (heading.ours.includes(column) || unknown.length === 0) return false
    return isForeign || unknown.some((name) => readsLike(column, name))
  })
  if (!lost) return
  const names = unknown.join(', ').slice(0, 300)
  const detail = `No column of this file is understood as the ${lost}, and nothing was imported. Name it "${lost}" in the first line, or remove the columns that Hapax does not know: ${names}`
  throw problem('file_not_understood', detail, {
    errors: [{ field: '', code: 'file_not_understood', message: detail }],
  })
}

/**
 * Returns the columns that are not imported, as the file names them, in their order. `withSales`: also those that only say
 * that a row is sold, whose values are lost, too.
 */
export function ignoredColumns(heading: Heading, withSales = false): string[] {
  const { written, ours, roles, pictures, preset, names, nameless, partlyRead } = heading
  return written.flatMap((heading, index) => {
    if (heading === '') return nameless.has(index) ? [`Column ${index + 1}, without a name`] : []
    if (preset && hasNotes(preset, names[index]!)) {
      return partlyRead.has(index) ? [`${heading} (only place and cost are read)`] : []
    }
    const hasRole = roles[index] !== null && !(withSales && roles[index] === 'soldDetail')
    const isUsed = ours[index] !== null || hasRole || pictures.has(index)
    return isUsed || (preset?.format === 'ebay' && /^(?:action$|cda?:)/.test(names[index]!)) ? [] : [heading]
  })
}

/**
 * Returns a row of a file in our columns, with amounts as the file writes them. A cell that is missing at the end of a
 * row says nothing.
 */
export function readRow(values: readonly string[], heading: Heading, now: number): Row {
  const { preset, names, ours, roles, written, prices } = heading
  for (const [index, name] of written.entries()) if (name === '' && values[index]) heading.nameless.add(index)
  for (const [index, name] of names.entries()) {
    if (preset && hasNotes(preset, name) && saysMore(name, values[index] ?? '')) heading.partlyRead.add(index)
  }
  const theirs = Object.fromEntries(names.map((name, index) => [name, values[index] ?? '']))
  const own = (isOurs: (index: number) => boolean) =>
    ours.flatMap((column, index): [string, string][] =>
      column === null || index >= values.length || !isOurs(index)
        ? []
        : [[column, inOwnUnits(column, written[index] ?? '', values[index]!)]],
    )
  const translated = preset
    ? translateRow(
        preset,
        theirs,
        own((index) => !preset.columns.has(names[index]!)),
      )
    : { cells: Object.fromEntries(own(() => true)), left: null }
  const asked = askingPriceOf(prices, values, { isStartFixed: preset?.format === 'ebay', now })
  const { price: _, ...others } = translated.cells
  const roleCells = roles.flatMap((role, index): RoleCell[] =>
    role === null ? [] : [{ role, column: ours[index]!, text: values[index]?.trim() ?? '' }],
  )
  const left = whyLeftOut(roleCells, now)
  const reason = translated.left ?? asked.left
  return {
    cells: completeCells({ ...others, ...(asked.price === undefined ? {} : { price: asked.price }) }, heading, values),
    left: left?.isSold || !reason ? left : { reason, field: '', isSold: false },
    ...(asked.error ? { errors: [asked.error] } : {}),
  }
}

function completeCells(given: Record<string, string>, heading: Heading, values: readonly string[]): Cells {
  const cells = { ...given }
  const pictures = [...heading.pictures].map((index) => values[index] ?? '').filter((text) => text !== '')
  if (pictures.length > 0) cells.images = [cells.images, ...pictures].filter(Boolean).join('\n')
  if (cells.currency) cells.currency = currencyOf(cells.currency) ?? cells.currency
  if (cells.state) cells.state = stateOf(cells.state)
  if (cells.gtin) {
    const column = codeColumnOf(cells.gtin)
    cells[column] ||= cells.gtin
  }
  delete cells.gtin
  return cells
}

/** Returns the column of a product code that may be of each kind. */
function codeColumnOf(code: string): 'isbn' | 'ean' | 'upc' {
  const digits = code.replace(/[^\dX]/gi, '')
  if (/^97[89]\d{10}$|^\d{9}[\dX]$/i.test(digits)) return 'isbn'
  return digits.length === 12 ? 'upc' : 'ean'
}

/** Returns a state in our words. Other words for a sale are read with the columns that say it. */
function stateOf(text: string): string {
  const state = text.trim().toLowerCase()
  return ['available', 'reserved', 'withdrawn', 'sold'].includes(state) ? state : 'available'
}
