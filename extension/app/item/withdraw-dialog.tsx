import { useState } from 'preact/hooks'
import { text } from '#extension/i18n/text.ts'
import { type InventoryRow, livePlatforms } from '#extension/storage/inventory-cache/row.ts'
import { EachProgress } from '../bulk/each-progress.tsx'
import { SelectedItems } from '../bulk/selected-items.tsx'
import { useEach } from '../bulk/use-each.ts'
import { Dialog } from '../components/dialog.tsx'
import { send } from '../host.ts'

export type SaleMove = 'withdraw' | 'restore'

/** The state that a move starts from. A reserved item has a buyer, so it cannot be withdrawn. */
const startOf = { withdraw: 'available', restore: 'withdrawn' } as const

/** Returns the rows that a move applies to. A draft goes on sale from its form, once it is complete. */
export const movable = (rows: readonly InventoryRow[], move: SaleMove): InventoryRow[] =>
  rows.filter(({ state, draft }) => state === startOf[move] && !draft)

/** Takes items out of sale everywhere and keeps them, or makes withdrawn items available again. */
export function WithdrawDialog(props: { move: SaleMove; rows: readonly InventoryRow[]; onClose: () => void }) {
  const { move } = props
  // Fix the rows at opening, because each moved item changes its state.
  const [rows] = useState(() => movable(props.rows, move))
  const each = useEach(rows)
  const live = rows.filter((row) => livePlatforms(row).length > 0).length
  const state = move === 'withdraw' ? 'withdrawn' : 'available'
  const start = () => each.go(async ({ uid }) => void (await send('inventory.change', { uid, change: { state } })))
  const isRunning = each.phase === 'working' || each.phase === 'stopping'
  return (
    <Dialog
      title={text(`${move}.title`, { n: rows.length })}
      onClose={props.onClose}
      onEscape={isRunning ? each.stop : undefined}
    >
      {each.phase === 'asked' ? (
        <>
          <p>{text(`${move}.text`)}</p>
          {move === 'withdraw' && live > 0 && (
            <p>{rows.length === 1 ? text('ends.one') : text('ends.some', { n: live })}</p>
          )}
          <SelectedItems rows={rows} />
          {rows.length < props.rows.length && (
            <p class="soft">{text(`${move}.others`, { n: props.rows.length - rows.length })}</p>
          )}
          <div class="buttons">
            <button type="button" onClick={props.onClose}>
              {text('bulk.cancel')}
            </button>
            <button type="button" class="main" onClick={() => void start()}>
              {text(`${move}.go`, { n: rows.length })}
            </button>
          </div>
        </>
      ) : (
        <EachProgress each={each} doneText={(n) => text(`${move}.done`, { n })} onClose={props.onClose} />
      )}
    </Dialog>
  )
}
