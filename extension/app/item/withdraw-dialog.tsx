import { useState } from 'preact/hooks'
import { type InventoryRow, livePlatforms } from '#extension/storage/inventory-cache/row.ts'
import { EachProgress } from '../bulk/each-progress.tsx'
import { SelectedItems } from '../bulk/selected-items.tsx'
import { useEach } from '../bulk/use-each.ts'
import { platformNames } from '../common/platform-names.ts'
import { Dialog } from '../components/dialog.tsx'
import { offerUndo } from '../components/undo-toast.tsx'
import { send } from '../host.ts'
import { withdraw } from '../shelf/withdraw-now.ts'
import { text } from './words.ts'

/** Out of sale everywhere, or back on sale. */
type SaleMove = 'pause' | 'restore'

/** The state that a move starts from. A reserved item has a buyer, so it cannot be withdrawn. */
const startOf = { pause: 'available', restore: 'withdrawn' } as const

/** Returns the rows that a move applies to. A draft goes on sale from its form, once it is complete. */
export const movable = (rows: readonly InventoryRow[], move: SaleMove): InventoryRow[] =>
  rows.filter(({ state, draft }) => state === startOf[move] && !draft)

const reasons = ['end', 'pause', 'missing'] as const

/**
 * Returns the reasons for which listings can end: on chosen platforms, where the items stay on sale; or everywhere, since
 * the seller pauses the items or cannot find them.
 */
export const endReasons = (rows: readonly InventoryRow[]) =>
  reasons.filter((one) => (one === 'end' ? liveOf(rows).length > 0 : movable(rows, 'pause').length > 0))

/** Returns the platforms where any of the rows is live. */
export const liveOf = (rows: readonly InventoryRow[]) => [...new Set(rows.flatMap(livePlatforms))]

/**
 * Takes items out of sale everywhere and keeps them, or makes withdrawn items available again. The button that pauses them
 * says why: the seller wants it, or cannot find them.
 */
export function WithdrawDialog(props: { move: SaleMove; rows: readonly InventoryRow[]; onClose: () => void }) {
  const { move } = props
  // Fix the rows at opening, because each moved item changes its state.
  const [rows] = useState(() => movable(props.rows, move))
  const each = useEach(rows)
  const live = rows.filter((row) => livePlatforms(row).length > 0).length
  const [act, setAct] = useState<'pause' | 'missing' | 'restore'>(move)
  const start = (chosen: typeof act) => {
    setAct(chosen)
    void each.go(async ({ uid }) => {
      const change = chosen === 'restore' ? await putBack(uid) : await withdraw(uid, chosen)
      if (rows.length > 1) return
      const where = chosen === 'restore' ? [] : liveOf(rows)
      const done = text(`${chosen}.done`, { n: 1 })
      offerUndo(where.length > 0 ? text('ends.on', { done, platforms: platformNames(where) }) : done, change)
      props.onClose()
    })
  }
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
          {move === 'pause' && live > 0 && (
            <p>{rows.length === 1 ? text('ends.one') : text('ends.some', { n: live })}</p>
          )}
          <SelectedItems rows={rows} />
          {rows.length < props.rows.length && (
            <p class="soft">
              {text(move === 'restore' ? 'restore.others' : 'pause.others', { n: props.rows.length - rows.length })}
            </p>
          )}
          <div class="buttons">
            <button type="button" onClick={props.onClose}>
              {text('cancel')}
            </button>
            {move === 'pause' && (
              <button type="button" onClick={() => start('missing')}>
                {text('missing.go', { n: rows.length })}
              </button>
            )}
            <button type="button" class="main" onClick={() => start(move)}>
              {text(`${move}.go`, { n: rows.length })}
            </button>
          </div>
        </>
      ) : (
        <EachProgress each={each} doneText={(n) => text(`${act}.done`, { n })} onClose={props.onClose} />
      )}
    </Dialog>
  )
}

async function putBack(uid: string): Promise<null> {
  await send('inventory.change', { uid, change: { state: 'available' } })
  return null
}
