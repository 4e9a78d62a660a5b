import type { z } from 'zod'
import { itemUrl } from '#server/catalog/inventory/build-record.ts'
import { type DescribedItem, describeItem } from '#server/catalog/inventory/create-item.ts'
import { describeIssue } from '#server/http/answers/describe-issue.ts'
import { invalidRequest } from '#server/http/answers/translate-error.ts'
import { invalidField, problem } from '#server/infra/errors.ts'
import { createInventoryItem } from '#shared/contract/catalog/inventory.ts'
import { conditionNotStated, noPhotoPath } from '#shared/item/placeholders.ts'
import { decimalFromMinor } from '#shared/money.ts'
import { changesBetween, editableCells, readCells } from '../columns.ts'
import type { LeftOut } from '../for-sale.ts'
import { findOtherSigns, type Sign } from '../reading/currency-signs.ts'
import { readPastSale } from '../reading/past-sale.ts'
import type { Decision, Importing } from './decide-rows.ts'
import type { NumberedRow } from './look-alikes.ts'

const newItemStates = ['available', 'reserved', 'withdrawn'] as const

type NewDecision = Extract<Decision, { action: 'create' }>
/** A new item that a sale of the past has sold. */
type NewItemOf = { state?: 'sold' }

/** Decides about a row that adds an item. Throws 400 for one that lacks what an item needs. */
export function decideNew(importing: Importing, row: NumberedRow, of: NewItemOf = {}): NewDecision {
  const item = newItem(importing, row, of)
  const cells = editableCells(item, itemUrl(importing.services.config.PUBLIC_URL, item.uid))
  // The day of inspection and the policies that the row does not name are the server's.
  const made = ['inspected_at', 'shipping_policy_url', 'returns_policy_url', 'state'].filter((name) => !row.cells[name])
  const changes = changesBetween(null, cells).filter(({ field }) => !made.includes(field))
  return { action: 'create', item, changes }
}

/**
 * Decides about a sale of the past: it makes an item that is sold. `owner`: the item that has the row's SKU. Sellers use one
 * SKU for a shelf, and only the first item can have it; the sale keeps it.
 */
export function decidePast(importing: Importing, row: NumberedRow, owner: string | undefined): Decision {
  const { seen, offered, services, settings } = importing
  const { cells, number } = row
  const sale = readPastSale(cells, row.name, { currency: settings.default_currency, now: services.now().getTime() })
  if (!sale) throw leftOut(row.left!)
  const name = `sku ${cells.sku}`
  const isFree = owner === undefined && !offered.has(cells.sku) && (seen.get(name) ?? number) === number
  if (cells.sku && isFree) seen.set(name, number)
  const price = Number(cells.price) > 0 ? cells.price! : decimalFromMinor(sale.price_minor, sale.currency)
  const images = cells.images || `${services.config.PUBLIC_URL}${noPhotoPath}`
  const known = { ...cells, price, images, sku: isFree ? (cells.sku ?? '') : '', state: '' }
  return { ...decideNew(importing, { ...row, cells: known }, { state: 'sold' }), sale }
}

function newItem(
  { services, isConditionOptional, settings }: Importing,
  row: NumberedRow,
  of: NewItemOf,
): DescribedItem {
  const cells =
    isConditionOptional && !row.cells.condition ? { ...row.cells, condition: conditionNotStated } : row.cells
  const currency = cells.currency || settings.default_currency
  if (currency) requireSigns(row.signs ?? [], currency)
  // A condition of a new item is required, so that the error names its label.
  const given = readCells(cells, Object.keys(cells), { current: {}, currency: settings.default_currency })
  const body = parse(createInventoryItem.body, { condition: {}, offer: {}, ...given })
  const state = of.state ?? newItemStates.find((one) => one === (cells.state || 'available'))
  if (!state) {
    throw invalidField('state', 'invalid_value', 'of a new item must be available, reserved or withdrawn')
  }
  const isOffered = state === 'available' || state === 'reserved'
  if (body.offer.price_minor === 0 && isOffered) throw invalidField('price', 'left_out', 'has no price')
  if (body.offer.currency === undefined && settings.default_currency === null) {
    throw invalidField('currency', 'required', 'is needed: neither your settings nor a connected shop names one')
  }
  const item = describeItem(services, body, settings, state)
  return item.sku === null || of.state ? { ...item, file_row: row.name } : item
}

/** Throws 400 for a sign that cannot mean the currency. */
export function requireSigns(signs: readonly Sign[], currency: string): void {
  const errors = findOtherSigns(signs, currency)
  if (errors.length > 0) throw problem('invalid_request', undefined, { errors })
}

/** Returns the error of a row that is left out. */
export const leftOut = ({ field, reason }: LeftOut) => invalidField(field, 'left_out', reason)

/** Parses a value. Throws 400 with the reasons in the words of the API. */
export function parse<Schema extends z.ZodType>(schema: Schema, value: unknown): z.output<Schema> {
  const parsed = schema.safeParse(value, { error: describeIssue })
  if (parsed.success) return parsed.data
  throw invalidRequest(parsed.error)
}
