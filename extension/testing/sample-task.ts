import type { ExtensionTask } from '#shared/contract/selling/tasks.ts'
import { newOrderedId } from '#shared/identity.ts'

/** Creates an open task: a coat sold on eBay is still live on Depop. */
export function sampleTask(changes: Partial<ExtensionTask> = {}): ExtensionTask {
  return {
    uid: newOrderedId('tsk'),
    kind: 'delist',
    status: 'open',
    platform: 'depop',
    inventory_item_uid: newOrderedId('inv'),
    title: 'Wool coat, green',
    image: 'https://di2ponv0v5otw.cloudfront.net/posts/coat.jpg',
    reason: 'Sold on eBay',
    url: 'https://www.depop.com/products/sample-wool-coat/',
    listing_id: 'd-1',
    price_minor: 8_500,
    currency: 'USD',
    sold_elsewhere: true,
    attempt: null,
    created_at: new Date(Date.now() - 120_000).toISOString(),
    ...changes,
  }
}
