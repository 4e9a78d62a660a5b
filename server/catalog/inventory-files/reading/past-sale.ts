import { invalidField } from '#server/infra/errors.ts'
import type { PastSale } from '#server/selling/sales/past/record-past-sales.ts'
import { minorFromDecimal } from '#shared/money.ts'
import { platforms } from '#shared/platforms.ts'
import type { Cells } from '../columns.ts'
import { foldedNames, foldHeading } from '../headings.ts'
import { readDates } from './dates.ts'

const inPerson = foldedNames('in person,in-person,local,cash,outside')

/** Returns whether a row tells where or for how much its item was sold. */
export const tellsSale = ({ sold_platform, sold_price }: Cells): boolean => Boolean(sold_platform || sold_price)

/** Hours after a day begins in UTC when it is the same day for nearly everybody. */
const noonMs = 12 * 3_600_000

/**
 * Reads the sale of a row that says that its item is sold; null for a row that tells nothing of it but that. `row`: the name
 * of the row. Throws 400 `left_out` for a sale of which place, day or price are not told or not understood.
 */
export function readPastSale(
  cells: Cells,
  row: string,
  { currency, now }: { currency: string | null; now: number },
): PastSale | null {
  const { sold_platform = '', sold_date = '', sold_price = '', sold_pieces = '', sold_order, sold_listing } = cells
  if (!tellsSale(cells)) return null
  const fail = (reason: string) => invalidField('', 'left_out', `is sold there, and ${reason}`)
  const lacks = [!sold_platform && 'where', !sold_date && 'when', !sold_price && 'for how much'].filter(Boolean)
  if (lacks.length > 0) throw fail(`the file does not say ${lacks.join(' and ')}`)
  if (Number(sold_pieces || 1) !== 1) throw fail(`counts ${sold_pieces.slice(0, 20)} sold pieces`)
  const platform = placeOf(sold_platform)
  if (!platform) throw fail(`Hapax keeps no sales of ${sold_platform.slice(0, 50)}`)
  const [day, ...others] = readDates(sold_date)
  if (!day || others.length > 0) throw fail(`the day "${sold_date.slice(0, 30)}" can be read in two ways, or in none`)
  if (day.from > now) throw fail('the day is yet to come')
  const named = cells.currency || currency
  if (!named)
    throw invalidField('currency', 'required', 'is needed: neither your settings nor a connected shop names one')
  const minor = (name: string) => {
    if (!cells[name]) return null
    const amount = minorFromDecimal(cells[name], named)
    if (amount === null) throw invalidField(name, 'invalid_price', 'must be a decimal such as 25.00')
    return amount
  }
  return {
    ...{ row, platform, order_id: sold_order || null, listing_id: sold_listing ? idOf(sold_listing) : null },
    ...{ sku: cells.sku || null, price_minor: minor('sold_price')!, currency: named },
    sold_at: new Date(isDay(day) ? day.from + noonMs : day.from).toISOString(),
    ...{ fee_minor: minor('sold_fee'), shipping_minor: minor('sold_shipping') },
  }
}

const isDay = ({ from, until }: { from: number; until: number }) => until - from > 1_000

function placeOf(text: string): PastSale['platform'] | null {
  const name = foldHeading(text)
  if (inPerson.includes(name)) return 'outside'
  return platforms.find((one) => foldHeading(one.name) === name || one.slug === name)?.slug ?? null
}

/** Returns the id of a listing from its address, or the text itself. */
const idOf = (text: string) => (text.includes('/') ? (/m?\d{9,}|[\da-f]{24}/.exec(text)?.[0] ?? null) : text)
