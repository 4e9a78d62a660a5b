import { X } from 'lucide-preact'
import { useState } from 'preact/hooks'
import { needsSeller, type ImportRow as Row } from '#extension/messaging/import-row.ts'
import { inText } from '../common/format.ts'
import { AskFirst } from '../components/ask-first.tsx'
import { IconButton } from '../components/icon-button.tsx'
import { text } from './words.ts'

/** One import with its progress or result. */
export function ImportRow(props: {
  row: Row
  name: string
  onLook: (() => void) | null
  onDismiss: () => void
  onStop: () => void
  /** Retries an incomplete import: a link to the shop if this browser reads it, else an action. */
  again: { href: string } | { act: () => void }
}) {
  const { row, name } = props
  const over = row.phase === 'done' || row.phase === 'failed'
  const counts = countsText(row)
  const isAsking = Boolean(row.counts?.to_look_at || row.counts?.failed)
  const look = text(isAsking ? 'review' : over ? 'import.see' : 'field.details')
  const [asking, setAsking] = useState(false)
  // Only the server's own reading can be stopped from here. A tab that reads stops when it is closed.
  const canStop = row.phase === 'working' && row.job !== null && row.scrape === null
  return (
    <li class="import">
      <div class="line">
        <strong>{name}</strong>
        <span class="grow">{headText(row, name)}</span>
        {props.onLook && !asking && (
          <button type="button" class="quiet" onClick={props.onLook} aria-label={`${look}, ${name}`}>
            {look}
          </button>
        )}
        {over && !needsSeller(row) && (
          <IconButton icon={X} label={text('import.dismiss', { platform: name })} onClick={props.onDismiss} />
        )}
      </div>
      {!over && row.phase !== 'refused' && (
        <progress
          aria-label={text('import.progress', { platform: name })}
          max={100}
          // Without a value the bar moves: nothing is found yet.
          {...(row.percent === null || row.done === 0 ? {} : { value: row.percent })}
        />
      )}
      {counts && <p class="soft">{counts}</p>}
      {!over && row.waits && <p class="warn">{waitText(row.waits)}</p>}
      {canStop && (
        <AskFirst
          words={text('stop')}
          label={text('import.stop_named', { platform: name })}
          question={text('import.stop_question', { platform: name })}
          asking={asking}
          onAsk={setAsking}
          onYes={props.onStop}
        />
      )}
      {row.problem && <p class="bad clamp">{row.problem}</p>}
      {row.note && <p class={row.incomplete ? 'warn' : 'soft'}>{row.note}</p>}
      {row.incomplete && <Again name={name} again={props.again} />}
    </li>
  )
}

function Again({ name, again }: { name: string; again: { href: string } | { act: () => void } }) {
  const label = `${text('retry')}, ${name}`
  return (
    <p>
      {'href' in again ? (
        <a class="button" href={again.href} target="_blank" rel="noreferrer" aria-label={label}>
          {text('retry')}
        </a>
      ) : (
        <button type="button" onClick={again.act} aria-label={label}>
          {text('retry')}
        </button>
      )}
    </p>
  )
}

function waitText({ reason, until }: NonNullable<Row['waits']>): string {
  const next = until > Date.now() ? text('shop.retry_at', { when: inText(until) }) : text('shop.retrying')
  return `${reason.replace(/\.?$/, '.')} ${next.replace(/\.?$/, '.')}`
}

function headText(row: Row, platform: string): string {
  if (row.incomplete) return text('import.phase.incomplete')
  if (row.phase === 'done' || row.phase === 'failed' || row.phase === 'refused')
    return text(`import.phase.${row.phase}`)
  if (row.phase === 'stopped') return text('import.stopped', { done: ofText(row) })
  if (row.total === null && row.done === 0) return text('import.starting', { platform })
  return row.total === null ? text('import.so_far', { done: row.done }) : ofText(row)
}

function ofText(row: Row): string {
  return row.total === null
    ? text('import.some', { done: row.done })
    : text('import.of', { done: row.done, total: row.total })
}

/** Summarizes an import's counts and omits zeros, except for imported listings. */
function countsText(row: Row): string | null {
  const { counts } = row
  if (row.phase === 'reading' || row.phase === 'waiting') return text(`import.phase.${row.phase}`)
  if (!counts || (counts.found === 0 && row.phase === 'working')) return null
  const parts = [
    text('import.imported', { n: counts.imported }),
    counts.there > 0 && text('import.there', { n: counts.there }),
    counts.to_look_at > 0 && text('import.to_look_at', { n: counts.to_look_at }),
    counts.failed > 0 && text('import.not_read', { n: counts.failed }),
  ]
  return parts.filter((part) => part !== false).join(', ')
}
