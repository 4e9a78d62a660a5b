import { text } from '#extension/i18n/text.ts'
import type { InventoryRow } from '#extension/storage/inventory-cache/row.ts'

/** How many are named; of more, their number says what the seller needs to know. */
const maxNamed = 50

/** The items that a deed is for, by their titles: some of them may be out of sight in the table behind. */
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
