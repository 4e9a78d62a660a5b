import { errorText } from '#extension/messaging/error-text.ts'
import { send } from '#extension/messaging/send.ts'
import type { Alarm } from '#shared/contract/orders.ts'
import { type PlatformSlug, platformOf } from '#shared/platforms.ts'

/**
 * Lists an item again where it was live before its sale was canceled, then dismisses the offer to do so. Throws what each
 * platform said that did not list it, and leaves the offer for another try.
 */
export async function relist({ uid, inventory_item_uid: item, relist_on }: Alarm, ask = send): Promise<void> {
  const asked = item ? await Promise.allSettled(relist_on.map((platform) => listOn(item, platform, ask))) : []
  const problems = asked.flatMap((one, at) =>
    one.status === 'rejected' ? [`${platformOf(relist_on[at]!).name}: ${errorText(one.reason)}`] : [],
  )
  if (problems.length > 0) throw new Error(problems.join(' '))
  await ask('popup.dismissAlert', { uid })
}

/** Lists an item, or opens the task to do so where only the seller can. */
function listOn(uid: string, platform: PlatformSlug, ask: typeof send): Promise<unknown> {
  if (platform === 'ebay' || platform === 'etsy') return ask('inventory.list', { uid, platform, options: {} })
  return ask('inventory.bulk', { action: 'list', uids: [uid], platforms: [platform], key: crypto.randomUUID() })
}
