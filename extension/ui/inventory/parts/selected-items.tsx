import { text } from '#extension/i18n/text.ts'
import type { StockRow } from '#extension/storage/inventory-cache/row.ts'

/** How many are named; of more, their number says what the seller needs to know. */
const maxNamed = 50

/** The items that a deed is for, by their titles: some of them may be out of sight in the table behind. */
export function MeantItems({ rows }: { rows: readonly StockRow[] }) {
  if (rows.length === 0) return null
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, by keyboard too
    <ul class="rows meant" aria-label={text('select.meant')} tabIndex={0}>
      {rows.slice(0, maxNamed).map((row) => (
        <li key={row.uid} class="cut">
          {row.title}
        </li>
      ))}
      {rows.length > maxNamed && <li class="soft">{text('select.more', { n: rows.length - maxNamed })}</li>}
    </ul>
  )
}
