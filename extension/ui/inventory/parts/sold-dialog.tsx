import { useEffect, useRef, useState } from 'preact/hooks'
import { text } from '#extension/i18n/text.ts'
import { errorText } from '#extension/messaging/error-text.ts'
import { send } from '#extension/messaging/send.ts'
import { type InventoryRow, livePlatforms } from '#extension/storage/inventory-cache/row.ts'
import { Dialog } from '#extension/ui/components/dialog.tsx'
import { SelectedItems } from './selected-items.tsx'

/** Marks items sold one by one until stopped, since there is no bulk undo. Shows which listings will end. */
export function SoldDialog(props: { rows: InventoryRow[]; onClose: () => void }) {
  // Fix the rows at opening: marked items would otherwise leave the list.
  const [rows] = useState(() => props.rows.filter((row) => row.state !== 'sold'))
  const live = rows.filter((row) => livePlatforms(row).length > 0).length
  const [phase, setPhase] = useState<'asked' | 'working' | 'stopping' | 'over'>('asked')
  const [done, setDone] = useState(0)
  const [failed, setFailed] = useState<{ row: InventoryRow; why: string }[]>([])
  const stopped = useRef(false)
  useEffect(
    () => () => {
      stopped.current = true
    },
    [],
  )
  const stop = () => {
    stopped.current = true
    setPhase('stopping')
  }

  const go = async () => {
    const failures: { row: InventoryRow; why: string }[] = []
    setPhase('working')
    for (const [index, row] of rows.entries()) {
      if (stopped.current) break
      try {
        await send('inventory.markSold', { uid: row.uid })
      } catch (error) {
        failures.push({ row, why: errorText(error) })
        setFailed([...failures])
      }
      setDone(index + 1)
    }
    setPhase('over')
  }
  const over = phase === 'over'
  const left = rows.length - done

  return (
    <Dialog
      title={text('sold.title', { n: rows.length })}
      onClose={props.onClose}
      onEscape={phase === 'working' || phase === 'stopping' ? stop : undefined}
    >
      {phase === 'asked' ? (
        <>
          <p>{rows.length === 0 ? text('sold.none') : text('sold.text', { n: live })}</p>
          <SelectedItems rows={rows} />
          <div class="buttons">
            <button type="button" onClick={props.onClose}>
              {text('bulk.cancel')}
            </button>
            {rows.length > 0 && (
              <button type="button" class="main" onClick={() => void go()}>
                {text('sold.go', { n: rows.length })}
              </button>
            )}
          </div>
        </>
      ) : (
        <>
          <p role="status">
            {[
              text('sold.done', { n: done - failed.length }),
              failed.length > 0 && text('bulk.failed', { n: failed.length }),
              left > 0 && text(over ? 'bulk.cancelled' : 'bulk.pending', { n: left }),
            ]
              .filter(Boolean)
              .join(', ')}
          </p>
          {!over && <progress aria-label={text('bulk.progress')} max={rows.length} value={done} />}
          {failed.length > 0 && (
            <ul class="rows failures">
              {failed.map(({ row, why }) => (
                <li key={row.uid}>
                  <div class="grow">
                    <p class="cut">{row.title}</p>
                    <p class="soft clamp">{why}</p>
                  </div>
                </li>
              ))}
            </ul>
          )}
          <div class="buttons">
            {over ? (
              <button type="button" class="main" onClick={props.onClose}>
                {text('bulk.close')}
              </button>
            ) : (
              <button type="button" aria-disabled={phase === 'stopping'} onClick={stop}>
                {text(phase === 'stopping' ? 'bulk.stopping' : 'bulk.stop')}
              </button>
            )}
          </div>
        </>
      )}
    </Dialog>
  )
}
