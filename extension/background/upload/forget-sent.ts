import type { ImportQueue } from '#extension/storage/import-queue/database.ts'
import type { ExtensionTask } from '#shared/contract/tasks.ts'

/**
 * Has the next import send these listings although they may look as they did when the server took them: what it believes
 * of them has changed since.
 */
export async function forgetSent(importQueue: ImportQueue, keys: readonly string[]): Promise<void> {
  if (keys.length > 0) await importQueue.listings.where('key').anyOf(keys).modify({ sent_hash: null })
}

/**
 * The same for listings whose tasks to take them down were open `before` and are not `now`, however they ended: the
 * server holds them for taken down, and one that is on offer all the same gets its task again (decisions 11).
 */
export async function forgetEnded(
  importQueue: ImportQueue,
  before: readonly ExtensionTask[],
  now: readonly ExtensionTask[],
): Promise<void> {
  const open = new Set(now.map(({ uid }) => uid))
  const ended = before.filter(({ uid, kind, listing_id }) => kind === 'delist' && listing_id !== null && !open.has(uid))
  await forgetSent(
    importQueue,
    ended.map(({ platform, listing_id }) => `${platform}:${listing_id}`),
  )
}
