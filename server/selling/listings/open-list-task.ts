import type { Transaction } from '#server/infra/db/index.ts'
import { openTask } from '#server/selling/tasks/open-task.ts'
import { sellForms } from '#server/selling/tasks/sell-forms.ts'
import type { ExtensionSlug } from '#shared/platforms.ts'
import { requireAvailable } from './operations/queue-listing.ts'
import type { ListedItem } from './preflight/prerequisites.ts'

/**
 * Opens a task to list an item where only the seller can, in the caller's transaction, and returns the platform's sell
 * form. Throws 409 `not_available` for an item that is not available.
 */
export async function openListTask(
  tx: Transaction,
  asked: {
    user_id: number
    item: Pick<ListedItem, 'uid' | 'currency'>
    platform: ExtensionSlug
    price_minor: number
    cause: 'user' | 'bulk'
    cause_ref?: string
  },
): Promise<string> {
  const { item, ...task } = asked
  const url = sellForms[asked.platform]
  await requireAvailable(tx, { user_id: asked.user_id, item_uid: item.uid })
  const reason = 'You added this'
  await openTask(tx, { ...task, kind: 'list', item_uid: item.uid, reason, url, currency: item.currency })
  return url
}
