import { useEffect, useState } from 'preact/hooks'
import { errorText } from '#extension/messaging/error-text.ts'
import type { View } from '#shared/contract/catalog/views.ts'
import type { InventoryFilter } from '#shared/item/inventory-filter.ts'
import { call } from '../host.ts'
import { everything, newestFirst } from './filter-rows.ts'

/** The content of a view, without its name. */
export type ViewContent = Omit<View, 'uid' | 'name'>

/** The views as last read, so that they show at once and offline. */
const key = 'inventory.views'
/** Returns a filter without conditions that do not restrict, as views keep it. */
export function filterOf(filter: InventoryFilter): InventoryFilter {
  const kept = Object.entries({ ...filter, query: filter.query?.trim() }).filter(
    ([, value]) => value !== undefined && value !== '' && !(Array.isArray(value) && value.length === 0),
  )
  return Object.fromEntries(kept)
}

/** Returns true if both show the same rows in the same order and columns. */
export function isSameView(one: ViewContent, other: ViewContent): boolean {
  const textOf = ({ filter, columns, sort }: ViewContent) =>
    JSON.stringify([
      Object.entries(filterOf(filter)).sort(([a], [b]) => (a < b ? -1 : 1)),
      [...columns].sort(),
      [sort.by, sort.down],
    ])
  return textOf(one) === textOf(other)
}

/** Returns true for a view of everything in the usual order, which needs no name. */
export const isPlain = ({ filter, sort }: ViewContent) =>
  isSameView({ filter, sort, columns: [] }, { filter: everything, sort: newestFirst, columns: [] })

/** The views of the account, with functions that save and delete one. `problem`: why the last try failed. */
export function useSavedViews() {
  const [saved, setSaved] = useState<View[]>(() => JSON.parse(localStorage.getItem(key) ?? '[]'))
  const [problem, setProblem] = useState<string | null>(null)
  const read = async () => {
    const views = await call('listViews', {})
    localStorage.setItem(key, JSON.stringify(views))
    setSaved(views)
  }
  const change = async (work: () => Promise<unknown>) => {
    setProblem(null)
    try {
      await work()
      await read()
    } catch (error) {
      setProblem(errorText(error))
    }
  }
  useEffect(() => {
    // Without an answer, the views as last read stay.
    read().catch(() => {})
  }, [])
  return {
    saved,
    problem,
    save: (view: Omit<View, 'uid'>) =>
      change(() => call('saveView', { body: { ...view, filter: filterOf(view.filter) } })),
    remove: (uid: string) => change(() => call('deleteView', { params: { uid } })),
  }
}
