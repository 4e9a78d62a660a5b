import { text } from './room-words.ts'
import type { Each } from './use-each.ts'

/** Shows how far an action on many items is, what failed, and a button to stop or close. */
export function EachProgress(props: { each: Each; doneText: (n: number) => string; onClose: () => void }) {
  const { phase, done, failed, total, stop } = props.each
  const over = phase === 'over'
  const left = total - done
  return (
    <>
      <p role="status">
        {[
          props.doneText(done - failed.length),
          failed.length > 0 && text('bulk.failed', { n: failed.length }),
          left > 0 && text(over ? 'bulk.cancelled' : 'bulk.pending', { n: left }),
        ]
          .filter(Boolean)
          .join(', ')}
      </p>
      {!over && <progress aria-label={text('bulk.progress')} max={total} value={done} />}
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
            {text('close')}
          </button>
        ) : (
          <button type="button" aria-disabled={phase === 'stopping'} onClick={stop}>
            {text(phase === 'stopping' ? 'bulk.stopping' : 'stop')}
          </button>
        )}
      </div>
    </>
  )
}
