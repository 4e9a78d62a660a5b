import { placeText } from '#extension/i18n/place-name.ts'
import type { ImportedRow } from '#shared/contract/catalog/inventory-files.ts'
import { minorFromDecimal } from '#shared/money.ts'
import { dateText, moneyText } from '../common/format.ts'
import { text } from './words.ts'

/** Rows of a file that are shown at first, and by each press. More at once would make the page slow. */
export const rowsShown = 200

/** Returns the rows to show, those with questions and problems first, else in the order of the file. */
export function shownRows(results: readonly ImportedRow[], most = rowsShown): ImportedRow[] {
  const order = ['ask', 'fail', 'create', 'update', 'none']
  return results.toSorted((a, b) => order.indexOf(a.action) - order.indexOf(b.action) || a.row - b.row).slice(0, most)
}

/** Returns what happens to a row, in a sentence for the seller. */
export function outcomeText({ action, errors, sale }: ImportedRow, isDryRun: boolean): string {
  if (action === 'ask') return text(`files.${isDryRun ? 'would' : 'did'}.ask`)
  if (sale) return text(`files.${isDryRun ? 'would' : 'did'}.sale`, { sale: saleText(sale) })
  if (action !== 'fail' && errors.length === 0) return text(`files.${isDryRun ? 'would' : 'did'}.${action}`)
  return errors.map(errorText).join('. ')
}

/** Returns a price, a place and a day: "$30.00 on Poshmark, Mar 8, 2026". */
function saleText({ platform, sold_at, price, currency }: NonNullable<ImportedRow['sale']>): string {
  return `${moneyText(minorFromDecimal(price, currency) ?? 0, currency)} ${placeText(platform)}, ${dateText(sold_at)}`
}

function errorText({ field, code, message }: ImportedRow['errors'][number]): string {
  if (code === 'left_out') return text('files.left_out', { reason: message })
  return field === '' ? message : `${fieldName(field)} ${message}`
}

/** An old and a new value of a row, as the seller reads them. */
interface ShownChange {
  name: string
  from: string | null
  to: string
}

/** Returns the values that a row changes, or that a new item gets. Photos are told by their number. */
export function shownChanges({ changes = [] }: ImportedRow): ShownChange[] {
  return changes.map(({ field, from, to }) => {
    const name = field === 'images' ? text('field.photos') : fieldName(field)
    if (field !== 'images') return { name, from, to: to ?? text('files.no_value') }
    const count = (links: string | null) => links?.split('\n').length ?? 0
    const isSame = from !== null && count(from) === count(to)
    return {
      name,
      from: from === null ? null : String(count(from)),
      to: isSame ? text('files.other_photos', { n: count(to) }) : String(count(to)),
    }
  })
}

/** Returns whether a row has changed the price of an item. */
export const hasNewPrice = ({ action, changes = [] }: ImportedRow) =>
  action === 'update' && changes.some(({ field }) => field === 'price')

/** Returns the price of a new item with its currency; null where the row gives none. */
export function newPrice({ changes = [] }: ImportedRow): string | null {
  const valueIn = (name: string) => changes.find(({ field }) => field === name)?.to
  const [price, currency] = [valueIn('price'), valueIn('currency')]
  const minor = price && currency ? minorFromDecimal(price, currency) : null
  return minor === null ? (price ?? null) : moneyText(minor, currency!)
}

const abbreviations = new Set(['sku', 'isbn', 'ean', 'upc', 'mpn'])

/** `images.0` is "Photo 1", `condition.label` is "Condition", `offer.price_minor` is "Price". */
function fieldName(field: string): string {
  const parts = field.replace(/_minor$/, '').split('.')
  const name = parts[0] === 'offer' || parts[0] === 'attributes' ? (parts[1] ?? '') : (parts[0] ?? '')
  const last = parts.at(-1) ?? ''
  const words = name === 'images' ? 'photo' : name.replaceAll('_', ' ')
  if (abbreviations.has(words)) return words.toUpperCase()
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}${/^\d+$/.test(last) ? ` ${Number(last) + 1}` : ''}`
}
