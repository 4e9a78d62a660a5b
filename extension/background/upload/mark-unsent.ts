import type { ImportQueue } from '#extension/storage/import-queue/database.ts'
import type { ExtensionTask } from '#shared/contract/selling/tasks.ts'

/** Makes the next import resend these listings even if unchanged, since the server's view of them has changed. */
export async function markUnsent(importQueue: ImportQueue, keys: readonly string[]): Promise<void> {
  if (keys.length > 0) await importQueue.listings.where('key').anyOf(keys).modify({ sent_hash: null })
}

/**
 * Does the same for listings whose tasks to end them closed between `before` and `now`. The server considers them
 * ended; one that is still live must get its task again.
 */
export async function markEndedUnsent(
  importQueue: ImportQueue,
  before: readonly ExtensionTask[],
  now: readonly ExtensionTask[],
): Promise<void> {
  const open = new Set(now.map(({ uid }) => uid))
  const ended = before.filter(({ uid, kind, listing_id }) => kind === 'delist' && listing_id !== null && !open.has(uid))
  await markUnsent(
    importQueue,
    ended.map(({ platform, listing_id }) => `${platform}:${listing_id}`),
  )
}
