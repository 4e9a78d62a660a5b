import { useState } from 'preact/hooks'

/** Columns of the inventory that a seller may show or hide. */
export const optionalColumns = ['cost', 'listed', 'age', 'brand', 'size', 'location', 'sku'] as const
export type OptionalColumn = (typeof optionalColumns)[number]

const key = 'inventory.columns'
const usual: readonly OptionalColumn[] = ['age', 'sku']

/** Returns the optional columns that this device shows, in the order of the table. */
function readShownColumns(): OptionalColumn[] {
  const kept = localStorage.getItem(key)?.split(',') ?? usual
  return optionalColumns.filter((column) => kept.includes(column))
}

/** The optional columns of this device, and a function that shows or hides one. */
export function useShownColumns(): [OptionalColumn[], (column: OptionalColumn) => void] {
  const [shown, setShown] = useState(readShownColumns)
  const toggle = (column: OptionalColumn) => {
    const kept = shown.includes(column) ? shown.filter((one) => one !== column) : [...shown, column]
    localStorage.setItem(key, kept.join(','))
    setShown(readShownColumns())
  }
  return [shown, toggle]
}
