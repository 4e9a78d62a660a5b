import { useMemo, useState } from 'preact/hooks'
import type { InventoryRow } from '#extension/storage/inventory-cache/row.ts'

/** Keeps the selected rows, one by one or a range of those shown. A filter hides selected rows, and keeps them. */
export function useRowSelection(all: readonly InventoryRow[], shown: readonly InventoryRow[]) {
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set())
  // Kept by id, since filters and sorting move rows.
  const [last, setLast] = useState<string | null>(null)
  const selected = useMemo(() => all.filter((row) => chosen.has(row.uid)), [all, chosen])
  const unseen = useMemo(() => {
    if (selected.length === 0) return []
    const seen = new Set(shown.map((row) => row.uid))
    return selected.filter((row) => !seen.has(row.uid))
  }, [selected, shown])
  const everyOne = shown.length > 0 && shown.every((row) => chosen.has(row.uid))

  const toggle = (index: number, range: boolean) => {
    const anchor = range ? shown.findIndex((row) => row.uid === last) : -1
    const [from, to] = anchor < 0 ? [index, index] : [Math.min(anchor, index), Math.max(anchor, index)]
    const on = !chosen.has(shown[index]?.uid ?? '')
    const next = new Set(chosen)
    for (const row of shown.slice(from, to + 1)) {
      if (on) next.add(row.uid)
      else next.delete(row.uid)
    }
    setChosen(next)
    setLast(shown[index]?.uid ?? null)
  }
  return {
    selected,
    /** Selected rows that the filter hides. */
    unseen,
    everyOne,
    has: (row: InventoryRow) => chosen.has(row.uid),
    toggle,
    extend: (from: number, to: number) => {
      const range = shown.slice(Math.min(from, to), Math.max(from, to) + 1)
      setChosen(new Set([...chosen, ...range.map((row) => row.uid)]))
      setLast(shown[to]?.uid ?? null)
    },
    toggleAll: () => setChosen(everyOne ? new Set() : new Set(shown.map((row) => row.uid))),
    clear: () => setChosen(new Set()),
  }
}
