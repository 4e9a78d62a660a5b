import type { InventoryRow } from '#extension/storage/inventory-cache/row.ts'
import { text } from './room-words.ts'

/** Maximum number of titles shown. The rest are counted. */
const maxNamed = 50

/** Lists the selected items by title, since some may be hidden in the table. */
export function SelectedItems({ rows }: { rows: readonly InventoryRow[] }) {
  if (rows.length === 0) return null
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, by keyboard too
    <ul class="rows selected-items" aria-label={text('select.items')} tabIndex={0}>
      {rows.slice(0, maxNamed).map((row) => (
        <li key={row.uid} class="cut">
          {row.title}
        </li>
      ))}
      {rows.length > maxNamed && <li class="soft">{text('select.more', { n: rows.length - maxNamed })}</li>}
    </ul>
  )
}
