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

export type SortBy = 'age' | 'title' | 'price'
export interface Sorting {
  by: SortBy
  down: boolean
}

export const everything: InventoryFilter = { state: 'any', on: 'any', off: 'none', query: '' }

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

/** Sorts rows. `age` down is newest first. Prices are compared within each currency. */
export function sortRows(rows: readonly InventoryRow[], { by, down }: Sorting): InventoryRow[] {
  const sign = down ? -1 : 1
  const compare = {
    age: (one: InventoryRow, other: InventoryRow) => one.created_at - other.created_at,
    title: (one: InventoryRow, other: InventoryRow) => collator.compare(one.title, other.title),
    price: (one: InventoryRow, other: InventoryRow) =>
      collator.compare(one.currency, other.currency) || one.price_minor - other.price_minor,
  }[by]
  return [...rows].sort((one, other) => sign * compare(one, other))
}
