import { useState } from 'preact/hooks'

/** Keeps the ids of the rows that a seller has selected. */
export function useSelection() {
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set())
  return {
    selected,
    toggle: (id: string) =>
      setSelected((before) => new Set(before.has(id) ? [...before].filter((one) => one !== id) : [...before, id])),
    drop: (ids: ReadonlySet<string>) => setSelected((before) => new Set([...before].filter((id) => !ids.has(id)))),
    select: (ids: readonly string[]) => setSelected(new Set(ids)),
  }
}
