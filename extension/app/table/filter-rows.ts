import { fold, type InventoryRow, livePlatforms } from '#extension/storage/inventory-cache/row.ts'
import { searchRows } from '#extension/storage/inventory-cache/search-rows.ts'
import type { InventoryFilter } from '#shared/item/inventory-filter.ts'
import type { sortKeys, todos } from '#shared/item/inventory-view.ts'
import { currencyExponent } from '#shared/money.ts'

export type SortBy = (typeof sortKeys)[number]
export interface Sorting {
  by: SortBy
  down: boolean
}

export const everything: InventoryFilter = {}
export const newestFirst: Sorting = { by: 'age', down: true }

/** Returns the rows that match. A search keeps its best match first. */
export function filterRows(
  rows: readonly InventoryRow[],
  filter: InventoryFilter,
  now: number = Date.now(),
): InventoryRow[] {
  const { state, todo, on, off, price_from, price_to, listed_days, lacks = [], query = '' } = filter
  const [brand, category] = [filter.brand, filter.category].map((name) => name && fold(name.trim()))
  const kept = rows.filter((row) => {
    if (state && row.state !== state) return false
    if (todo && todoOf(row) !== todo) return false
    if (on || off) {
      const live = livePlatforms(row)
      if (on === 'nowhere' ? live.length > 0 : on && !live.includes(on)) return false
      if (off && live.includes(off)) return false
    }
    if (price_from !== undefined || price_to !== undefined) {
      const price = row.price_minor / 10 ** currencyExponent(row.currency)
      if (price < (price_from ?? 0) || price > (price_to ?? Number.POSITIVE_INFINITY)) return false
    }
    if (listed_days !== undefined && !(row.listed_at !== null && now - row.listed_at >= listed_days * dayMs))
      return false
    if (brand && fold(row.brand ?? '') !== brand) return false
    if (category && fold(row.category ?? '') !== category) return false
    return lacks.every((field) => isLacking[field](row))
  })
  return query.trim() === '' ? kept : searchRows(kept, query)
}

/** Returns what is to be done with an item before it is for sale; null for nothing. */
export function todoOf(row: InventoryRow): (typeof todos)[number] | null {
  if (row.draft) return row.image === null ? 'photograph' : 'list'
  return row.state === 'available' && livePlatforms(row).length === 0 ? 'list' : null
}

const dayMs = 86_400_000

const isLacking = {
  cost: (row: InventoryRow) => row.cost_minor === null,
  sku: (row: InventoryRow) => !row.sku,
  location: (row: InventoryRow) => !row.location,
  brand: (row: InventoryRow) => !row.brand,
  category: (row: InventoryRow) => !row.category,
}

const collator = new Intl.Collator(undefined, { numeric: true, sensitivity: 'base' })

/** The value that rows are sorted by. Null comes last, whatever the order. */
const sortValue = {
  age: (row: InventoryRow) => row.created_at,
  title: (row: InventoryRow) => row.title,
  price: (row: InventoryRow) => row.price_minor,
  brand: (row: InventoryRow) => row.brand,
  category: (row: InventoryRow) => row.category,
  size: (row: InventoryRow) => row.size,
  // More days are an earlier time.
  listed: (row: InventoryRow) => (row.listed_at === null ? null : -row.listed_at),
  location: (row: InventoryRow) => row.location,
  cost: (row: InventoryRow) => row.cost_minor,
  sku: (row: InventoryRow) => row.sku,
} satisfies Record<SortBy, (row: InventoryRow) => string | number | null>

/** Sorts rows. `age` down is newest first. Amounts are compared within each currency. */
export function sortRows(rows: readonly InventoryRow[], { by, down }: Sorting): InventoryRow[] {
  const sign = down ? -1 : 1
  const isAmount = by === 'price' || by === 'cost'
  return [...rows].sort((one, other) => {
    const [a, b] = [sortValue[by](one), sortValue[by](other)]
    if (a === null || b === null) return Number(a === null) - Number(b === null)
    const byCurrency = isAmount ? collator.compare(one.currency, other.currency) : 0
    return sign * (byCurrency || (typeof a === 'number' ? a - Number(b) : collator.compare(a, String(b))))
  })
}
