import { useState } from 'preact/hooks'
import { everything, type InventoryFilter } from './filter-rows.ts'

/** A filter of the inventory under the seller's name for it. */
export interface SavedFilter {
  name: string
  filter: InventoryFilter
}

const key = 'inventory.filters'

/** Returns the filters that this device keeps, in the order of saving. */
function readSavedFilters(): SavedFilter[] {
  const kept = JSON.parse(localStorage.getItem(key) ?? '[]') as SavedFilter[]
  return kept.map(({ name, filter }) => ({ name, filter: { ...everything, ...filter } }))
}

/** Returns the filters with one more. A filter of the same name is replaced in its place. */
export function withFilter(saved: readonly SavedFilter[], added: SavedFilter): SavedFilter[] {
  const isKnown = saved.some(({ name }) => name === added.name)
  return isKnown ? saved.map((one) => (one.name === added.name ? added : one)) : [...saved, added]
}

/** Returns true if both filters show the same rows. */
export function isSameFilter(one: InventoryFilter, other: InventoryFilter): boolean {
  return (
    one.state === other.state && one.on === other.on && one.off === other.off && one.query.trim() === other.query.trim()
  )
}

/** The saved filters of this device, with functions that save and remove one. */
export function useSavedFilters() {
  const [saved, setSaved] = useState(readSavedFilters)
  const keep = (next: SavedFilter[]) => {
    localStorage.setItem(key, JSON.stringify(next))
    setSaved(next)
  }
  return {
    saved,
    save: (added: SavedFilter) => keep(withFilter(saved, added)),
    remove: (name: string) => keep(saved.filter((one) => one.name !== name)),
  }
}
