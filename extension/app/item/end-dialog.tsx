import { useState } from 'preact/hooks'
import { text } from '#extension/i18n/text.ts'
import type { PlatformHealth } from '#extension/messaging/overview.ts'
import { type InventoryRow, livePlatforms } from '#extension/storage/inventory-cache/row.ts'
import { BulkDialog } from '../bulk/bulk-dialog.tsx'
import { movable, WithdrawDialog } from './withdraw-dialog.tsx'

const reasons = ['end', 'pause', 'missing'] as const
type Reason = (typeof reasons)[number]

/** Returns whether listings can end for one of the reasons. */
export const canEnd = (rows: readonly InventoryRow[]): boolean =>
  movable(rows, 'pause').length > 0 || rows.some((row) => livePlatforms(row).length > 0)

/**
 * Ends listings for a reason: on chosen platforms, where the items stay on sale; or everywhere, since the seller pauses
 * the items or cannot find them.
 */
export function EndDialog(props: {
  rows: InventoryRow[]
  platforms: readonly PlatformHealth[]
  server: string
  onClose: () => void
}) {
  const { rows, onClose } = props
  const live = [...new Set(rows.flatMap(livePlatforms))]
  const offered = reasons.filter((one) => (one === 'end' ? live.length > 0 : movable(rows, one).length > 0))
  const [reason, setReason] = useState<Reason>(offered[0] ?? 'end')
  const lead = offered.length > 1 && (
    <label>
      {text('end.reason')}
      <select value={reason} onChange={(event) => setReason(event.currentTarget.value as Reason)}>
        {offered.map((one) => (
          <option key={one} value={one}>
            {text(`end.reason.${one}`)}
          </option>
        ))}
      </select>
    </label>
  )
  return reason === 'end' ? (
    <BulkDialog {...props} action="delist" start={live} lead={lead} />
  ) : (
    <WithdrawDialog key={reason} move={reason} rows={rows} lead={lead} onClose={onClose} />
  )
}
