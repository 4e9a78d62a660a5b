import { send } from '#extension/messaging/send.ts'
import type { Alarm } from '#shared/contract/orders.ts'

/** Lists an item again where it was live before its sale was cancelled, and dismisses the offer to do so. */
export async function relist({ uid, inventory_item_uid, relist_on }: Alarm): Promise<void> {
  if (inventory_item_uid && relist_on.length > 0) {
    await send('inventory.bulk', {
      action: 'list',
      uids: [inventory_item_uid],
      platforms: relist_on,
      key: crypto.randomUUID(),
    })
  }
  await send('popup.dismissAlert', { uid })
}
