import { Ellipsis } from 'lucide-preact'
import { useEffect, useState } from 'preact/hooks'
import type { PlatformHealth } from '#extension/messaging/overview.ts'
import type { InventoryRow } from '#extension/storage/inventory-cache/row.ts'
import { BulkDialog, PriceDialog, preloadDialogs } from '../bulk/lazy-dialogs.tsx'
import { download } from '../common/csv.ts'
import { Lazy } from '../components/lazy.tsx'
import { Menu } from '../components/menu.tsx'
import { Notice } from '../components/notice.tsx'
import { useAction } from '../hooks/use-request.ts'
import { send } from '../host.ts'
import { SoldDialog } from '../item/sold-dialog.tsx'
import { liveOf, movable, WithdrawDialog } from '../item/withdraw-dialog.tsx'
import { text } from './words.ts'

export type ItemAction = 'list' | 'end' | 'pause' | 'price' | 'edit' | 'labels' | 'sold' | 'restore'

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
  onClear: () => void
  /** Shows what the filter hides. */
  onShow: () => void
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
  const given = { rows: selected, platforms: props.platforms, onClose: close }
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
          : text('select.count_unseen', { n: rows.length, unseen: unseen.length })}{' '}
        {unseen.length > 0 && (
          <button type="button" class="link" onClick={props.onShow}>
            {text('select.show')}
          </button>
        )}
        {props.partOf && <span class="block">{text('select.partly', props.partOf)}</span>}
      </p>
      <div class="actions">
        <button type="button" class="main" onClick={() => setAction('list')}>
          {text('select.list')}
        </button>
        <button type="button" onClick={() => setAction('price')}>
          {text('select.price')}
        </button>
        <button type="button" onClick={() => setAction('sold')}>
          {text('select.sold')}
        </button>
        <Menu class="more up" label={text('inventory.more')} icon={<Ellipsis size={18} aria-hidden="true" />}>
          {(close) => {
            const then = (act: () => void) => () => {
              close()
              act()
            }
            return (
              <>
                {liveOf(rows).length > 0 && (
                  <button type="button" onClick={then(() => setAction('end'))}>
                    {text('select.end')}
                  </button>
                )}
                {movable(rows, 'pause').length > 0 && (
                  <button type="button" onClick={then(() => setAction('pause'))}>
                    {text('select.pause')}
                  </button>
                )}
                {movable(rows, 'restore').length > 0 && (
                  <button type="button" onClick={then(() => setAction('restore'))}>
                    {text('select.restore')}
                  </button>
                )}
                <button type="button" onClick={then(() => setAction('edit'))}>
                  {text('select.edit')}
                </button>
                <button type="button" onClick={then(() => setAction('labels'))}>
                  {text('select.labels')}
                </button>
                <button type="button" aria-disabled={busy !== null} onClick={then(() => void exportRows())}>
                  {text('select.export')}
                </button>
              </>
            )
          }}
        </Menu>
      </div>
      <button type="button" class="quiet" onClick={props.onClear}>
        {text('select.clear')}
      </button>
      {action === 'list' && <BulkDialog {...given} action="list" />}
      {action === 'end' && <BulkDialog {...given} action="delist" start={liveOf(selected)} />}
      {action === 'price' && <PriceDialog rows={selected} onClose={close} />}
      {action === 'edit' && <Lazy within="div" load={loadEditDialog} given={{ rows: selected, onClose: close }} />}
      {action === 'labels' && <Lazy within="div" load={loadLabelsDialog} given={{ rows: selected, onClose: close }} />}
      {action === 'sold' && <SoldDialog rows={selected} onClose={close} />}
      {(action === 'pause' || action === 'restore') && <WithdrawDialog move={action} rows={selected} onClose={close} />}
    </section>
  )
}
