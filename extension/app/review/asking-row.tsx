import { Copy } from 'lucide-preact'
import type { ImportRow } from '#extension/messaging/import-row.ts'
import { useHost } from '../host.ts'
import { text } from './room-words.ts'

/** Listings of imports that wait for a decision: one row, whatever the number of shops. */
export function AskingRow(props: {
  rows: ImportRow[]
  nameOf: (slug: string) => string
  onLook: (row: ImportRow) => void
}) {
  const { rows, nameOf } = props
  const { page } = useHost()
  const names = [...new Set(rows.map(({ platform }) => nameOf(platform)))]
  const failed = rows.reduce((sum, { counts }) => sum + (counts?.failed ?? 0), 0)
  const [only] = rows.length === 1 ? rows : []
  return (
    <li>
      <Copy class="sign" size={18} aria-hidden="true" />
      <div class="grow">
        <p>{text('import.needs_look', { n: rows.reduce((sum, { counts }) => sum + (counts?.to_look_at ?? 0), 0) })}</p>
        <p class="soft">
          {text('import.from', { platform: new Intl.ListFormat('en').format(names) })}
          {failed > 0 && `. ${text('import.not_read', { n: failed })}.`}
        </p>
      </div>
      {only ? (
        <button type="button" onClick={() => props.onLook(only)}>
          {text('review')}
        </button>
      ) : (
        <a class="button" href={`${page}#decisions`} target={page ? '_blank' : undefined}>
          {text('review')}
        </a>
      )}
    </li>
  )
}
