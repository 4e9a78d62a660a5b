import { useState } from 'preact/hooks'
import { viewColumns as optionalColumns } from '#shared/item/inventory-view.ts'

export type OptionalColumn = (typeof optionalColumns)[number]

const key = 'inventory.columns'
const usual: readonly OptionalColumn[] = ['age', 'sku']

/** Returns the optional columns that this device shows, in the order of the table. */
function readShownColumns(): OptionalColumn[] {
  const kept = localStorage.getItem(key)?.split(',') ?? usual
  return optionalColumns.filter((column) => kept.includes(column))
}

/** The optional columns of this device, and a function that chooses others. */
export function useShownColumns(): [OptionalColumn[], (columns: readonly OptionalColumn[]) => void] {
  const [shown, setShown] = useState(readShownColumns)
  const show = (columns: readonly OptionalColumn[]) => {
    localStorage.setItem(key, columns.join(','))
    setShown(readShownColumns())
  }
  return [shown, show]
}
