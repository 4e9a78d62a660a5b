import { useEffect, useState } from 'preact/hooks'
import { text } from '#extension/i18n/text.ts'
import type { PlatformHealth } from '#extension/messaging/overview.ts'
import { type InventoryRow, livePlatforms } from '#extension/storage/inventory-cache/row.ts'
import { BulkDialog, PriceDialog, preloadDialogs } from '../bulk/lazy-dialogs.tsx'
import { download } from '../common/csv.ts'
import { Lazy } from '../components/lazy.tsx'
import { Notice } from '../components/notice.tsx'
import { useAction } from '../hooks/use-request.ts'
import { send } from '../host.ts'
import { SoldDialog } from '../item/sold-dialog.tsx'
import { movable, type SaleMove, WithdrawDialog } from '../item/withdraw-dialog.tsx'

export type ItemAction = 'list' | 'delist' | 'price' | 'edit' | 'labels' | 'sold' | SaleMove

export const loadLabelsDialog = () => import('../shelf/labels-dialog.tsx').then(({ LabelsDialog }) => LabelsDialog)
const loadEditDialog = () => import('../bulk/edit-dialog.tsx').then(({ EditDialog }) => EditDialog)

/** Actions for the selected rows. Each one previews its effect first. */
export function SelectionBar(props: {
  rows: InventoryRow[]
  /** Selected rows that the filter hides. */
  unseen: InventoryRow[]
  /** While this browser is still reading the inventory: how much it has of it. */
  partOf: { n: number; total: number } | null
  platforms: readonly PlatformHealth[]
  server: string
  onClear: () => void
  onChanged: () => Promise<void>
}) {
  const { rows, unseen } = props
  const [action, setAction] = useState<ItemAction | null>(null)
  const { busy, problem, code, act } = useAction()
  useEffect(() => void preloadDialogs().catch(() => {}), [])
  const close = () => {
    setAction(null)
    void props.onChanged()
  }
  // List hidden rows first in the dialog.
  const selected = unseen.length === 0 ? rows : [...new Set([...unseen, ...rows])]
  // Withdrawn items alone can only go back.
  const move = movable(selected, 'withdraw').length === 0 ? 'restore' : 'withdraw'
  const anyMovable = movable(selected, move).length > 0
  const anyLive = rows.some((row) => livePlatforms(row).length > 0)
  const exportRows = () =>
    act('export', async () => {
      download('hapax-inventory.csv', await send('files.export', { uids: rows.map((row) => row.uid) }))
    })
  return (
    <section class="selection" aria-label={text('select.label')}>
      {problem && <Notice tone="bad">{code === 'offline' ? text('select.export_offline') : problem}</Notice>}
      <p class="grow" role="status">
        {unseen.length === 0
          ? text('select.count', { n: rows.length })
          : text('select.count_unseen', { n: rows.length, unseen: unseen.length })}
        {props.partOf && <span class="block">{text('select.partly', props.partOf)}</span>}
      </p>
      <div class="actions">
        <button type="button" class="main" onClick={() => setAction('list')}>
          {text('select.list')}
        </button>
        <button type="button" aria-disabled={!anyLive} onClick={() => anyLive && setAction('delist')}>
          {text('select.delist')}
        </button>
        <button type="button" onClick={() => setAction('price')}>
          {text('select.price')}
        </button>
        <button type="button" onClick={() => setAction('edit')}>
          {text('select.edit')}
        </button>
        <button type="button" onClick={() => setAction('sold')}>
          {text('select.sold')}
        </button>
        <button type="button" aria-disabled={!anyMovable} onClick={() => anyMovable && setAction(move)}>
          {text(`select.${move}`)}
        </button>
        <button type="button" onClick={() => setAction('labels')}>
          {text('select.labels')}
        </button>
        <button type="button" aria-disabled={busy !== null} onClick={() => void exportRows()}>
          {text('select.export')}
        </button>
      </div>
      <button type="button" class="quiet" onClick={props.onClear}>
        {text('select.clear')}
      </button>
      {(action === 'list' || action === 'delist') && (
        <BulkDialog action={action} rows={selected} platforms={props.platforms} server={props.server} onClose={close} />
      )}
      {action === 'price' && <PriceDialog rows={selected} onClose={close} />}
      {action === 'edit' && <Lazy within="div" load={loadEditDialog} given={{ rows: selected, onClose: close }} />}
      {action === 'labels' && <Lazy within="div" load={loadLabelsDialog} given={{ rows: selected, onClose: close }} />}
      {action === 'sold' && <SoldDialog rows={selected} onClose={close} />}
      {(action === 'withdraw' || action === 'restore') && (
        <WithdrawDialog move={action} rows={selected} onClose={close} />
      )}
    </section>
  )
}
