import { type InventoryRow, livePlatforms, platformsOnSale } from '#extension/storage/inventory-cache/row.ts'
import type { ItemEdit } from '#shared/item/item-edit-schemas.ts'
import { type PlatformSlug, platformOf } from '#shared/platforms.ts'
import type { PriceChange } from '#shared/price-schemas.ts'
import { amountText, readAmount } from '../common/amount.ts'

/** Fields that are edited in the table. */
export const cellFields = ['price', 'cost', 'location', 'sku'] as const
export type CellField = (typeof cellFields)[number]

export const isCellField = (key: string): key is CellField => (cellFields as readonly string[]).includes(key)

/** Returns the text that an editor begins with. */
export function cellText(row: InventoryRow, field: CellField): string {
  switch (field) {
    case 'price':
      return amountText(row.price_minor, row.currency)
    case 'cost':
      return row.cost_minor === null ? '' : amountText(row.cost_minor, row.currency)
    default:
      return row[field] ?? ''
  }
}

type CellChange =
  | { price: PriceChange; edit?: undefined; problem?: undefined }
  | { price?: undefined; edit: ItemEdit; problem?: undefined }
  | { price?: undefined; edit?: undefined; problem: 'amount' | 'above_zero' | 'too_long' }

const attributes = { cost: 'cost_minor', location: 'storage_location', sku: 'sku' } as const
const most = { location: 200, sku: 500 }

/** Returns the change that a typed text asks for, or what is wrong with it. Null: the text is as before. */
export function readCell(row: InventoryRow, field: CellField, typed: string): CellChange | null {
  const value = typed.trim()
  if (value === cellText(row, field)) return null
  if (field === 'price') {
    const price_minor = readAmount(value, row.currency)
    if (price_minor === null) return { problem: 'amount' }
    return price_minor === 0
      ? { problem: 'above_zero' }
      : { price: { by: 'price', price_minor, currency: row.currency } }
  }
  if (value === '') return { edit: { act: 'clear', field: attributes[field] } }
  if (field === 'cost') {
    const cost = readAmount(value, row.currency)
    return cost === null
      ? { problem: 'amount' }
      : { edit: { act: 'set', field: 'cost_minor', value: cost, currency: row.currency } }
  }
  if (value.length > most[field]) return { problem: 'too_long' }
  return { edit: { act: 'set', field: attributes[field], value } }
}

/**
 * Returns the platforms that get a changed price, those whose sale event it ends, and those on which only the seller can
 * change it.
 */
export function priceFollows(row: InventoryRow): Record<'sent' | 'onSale' | 'byHand', PlatformSlug[]> {
  const live = livePlatforms(row)
  const isSent = (slug: PlatformSlug) => platformOf(slug).capabilities.edit.length > 0
  return { sent: live.filter(isSent), onSale: platformsOnSale(row), byHand: live.filter((slug) => !isSent(slug)) }
}

/** Returns the next cell to edit: below, or beside it and then in the next row. Null past the ends. */
export function nextCell(
  at: { index: number; field: CellField },
  move: 'down' | 'right' | 'left',
  fields: readonly CellField[],
  count: number,
): { index: number; field: CellField } | null {
  const column = fields.indexOf(at.field)
  const step = move === 'left' ? -1 : 1
  const beside = fields[column + step]
  const next =
    move === 'down'
      ? { index: at.index + 1, field: at.field }
      : beside
        ? { index: at.index, field: beside }
        : { index: at.index + step, field: fields.at(step === 1 ? 0 : -1)! }
  return next.index >= 0 && next.index < count ? next : null
}
