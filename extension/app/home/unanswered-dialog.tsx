import type { Overview } from '#extension/messaging/overview.ts'
import type { InventoryRow } from '#extension/storage/inventory-cache/row.ts'
import { findPlatform, type PlatformSlug } from '#shared/platforms.ts'
import { BulkDialog } from '../bulk/bulk-dialog.tsx'
import { CloseButton, Dialog } from '../components/dialog.tsx'
import { Loading } from '../components/loading.tsx'
import { Failure } from '../components/pending.tsx'
import { useRequest } from '../hooks/use-request.ts'
import { call } from '../host.ts'
import { text } from './words.ts'

/** The dialog of listing, with the items of bulk jobs that wait for an answer on a platform. */
export function UnansweredDialog(props: {
  platform: string
  /** The inventory; null until it is read. */
  rows: readonly InventoryRow[] | null
  overview: Overview
  onClose: () => void
}) {
  const { rows, onClose } = props
  const platform = findPlatform(props.platform)?.slug
  const request = useRequest(props.platform, async () => (platform ? readUids(platform) : new Set<string>()))
  const found = request.state === 'ready' && rows && rows.filter(({ uid }) => request.value.has(uid))
  if (platform && found && found.length > 0) {
    return (
      <BulkDialog action="list" rows={found} platforms={props.overview.platforms} only={platform} onClose={onClose} />
    )
  }
  return (
    <Dialog title={text('unanswered.title')} onClose={onClose}>
      {request.state === 'failed' ? (
        <Failure message={request.message} onRetry={request.again} />
      ) : found ? (
        <p>{text('unanswered.none')}</p>
      ) : (
        <Loading />
      )}
      <CloseButton onClose={onClose} />
    </Dialog>
  )
}

/** Returns the items that wait for an answer on a platform. */
async function readUids(platform: PlatformSlug): Promise<ReadonlySet<string>> {
  const uids = new Set<string>()
  for (let page = 1, more = true; more; page++) {
    const { count, results } = await call('listUnanswered', {
      query: { platform, page: String(page), page_size: '100' },
    })
    for (const { inventory_item_uid } of results) uids.add(inventory_item_uid)
    more = results.length > 0 && page * 100 < count
  }
  return uids
}
