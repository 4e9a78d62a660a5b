import { type InventoryRow, livePlatforms } from '#extension/storage/inventory-cache/row.ts'
import { searchRows } from '#extension/storage/inventory-cache/search-rows.ts'
import type { Availability } from '#shared/inventory-record.ts'
import type { PlatformSlug } from '#shared/platforms.ts'

/** The table's filter, which reads as a sentence: "available items, on eBay, not on Depop". */
export interface InventoryFilter {
  state: Availability | 'any'
  on: PlatformSlug | 'any' | 'nowhere'
  off: PlatformSlug | 'none'
  query: string
}

export type SortBy = keyof typeof sortValue
export interface Sorting {
  by: SortBy
  down: boolean
}

export const everything: InventoryFilter = { state: 'any', on: 'any', off: 'none', query: '' }
export const newestFirst: Sorting = { by: 'age', down: true }

/** Returns the rows that match. A search keeps its best match first. */
export function filterRows(rows: readonly InventoryRow[], filter: InventoryFilter): InventoryRow[] {
  const kept = rows.filter((row) => {
    if (filter.state !== 'any' && row.state !== filter.state) return false
    if (filter.on === 'any' && filter.off === 'none') return true
    const live = livePlatforms(row)
    if (filter.on === 'nowhere' && live.length > 0) return false
    if (filter.on !== 'any' && filter.on !== 'nowhere' && !live.includes(filter.on)) return false
    return filter.off === 'none' || !live.includes(filter.off)
  })
  return filter.query.trim() === '' ? kept : searchRows(kept, filter.query)
}

const collator = new Intl.Collator(undefined, { numeric: true, sensitivity: 'base' })

/** The value that rows are sorted by. Null comes last, whatever the order. */
const sortValue = {
  age: (row: InventoryRow) => row.created_at,
  title: (row: InventoryRow) => row.title,
  price: (row: InventoryRow) => row.price_minor,
  brand: (row: InventoryRow) => row.brand,
  size: (row: InventoryRow) => row.size,
  // More days are an earlier time.
  listed: (row: InventoryRow) => (row.listed_at === null ? null : -row.listed_at),
  location: (row: InventoryRow) => row.location,
  cost: (row: InventoryRow) => row.cost_minor,
}

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
