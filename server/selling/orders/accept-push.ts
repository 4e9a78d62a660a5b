import { notify } from '#server/infra/db/pubsub.ts'
import { together, transaction } from '#server/infra/db/transaction.ts'
import { traceparentToKeep } from '#server/infra/span.ts'
import { confirmConnection } from '#server/integrations/connections/confirm-connection.ts'
import type { Push } from '#server/integrations/push.ts'
import { scheduleReconcile } from '#server/selling/listings/reconcile/schedule-reconcile.ts'
import type { Services } from '#server/services.ts'
import type { OAuthSlug } from '#shared/platforms.ts'
import { eraseShop } from './erase-shop.ts'
import * as sql from './queries.ts'
import { orderFetchChannel } from './worker.ts'

/** `taken`: accepted. `repeated`: acknowledged before. `nobody`: no shop of ours. `ignored`: an unused topic. */
export type PushOutcome = 'taken' | 'repeated' | 'nobody' | 'ignored'

/**
 * Stores a verified push in one transaction before it is acknowledged: an order to fetch, a shop to compare, a consent
 * to check, or data to erase. It has no other effect.
 */
export function acceptPush(services: Services, platform: OAuthSlug, push: Push): Promise<PushOutcome> {
  return transaction(services.db, 'accept-push', async (tx) => {
    const { message_id, topic } = push
    const named = push.topic === 'other' ? push.name.slice(0, 100) : topic
    const [isNew, shops] = await together([
      tx.oneOrNone(sql.insertReceipt({ platform, message_id, topic: named })),
      'shop' in push ? tx.any(sql.findPushedShops({ platform, ...push.shop })) : [],
    ])
    if (!isNew) return 'repeated'
    if (push.topic === 'other') return 'ignored'
    if (push.topic === 'account_deletion') {
      return (await eraseShop(services, tx, { platform, message_id, ...push.subject })) > 0 ? 'taken' : 'nobody'
    }
    if (push.topic === 'listing') {
      for (const shop of shops) await scheduleReconcile(tx, shop)
      return shops.length > 0 ? 'taken' : 'nobody'
    }
    if (push.topic === 'revocation') {
      for (const shop of shops) await confirmConnection(services, tx, shop)
      return shops.length > 0 ? 'taken' : 'nobody'
    }
    const { external_order_id, external_line_ids } = push
    const lines = external_line_ids.length > 0 ? external_line_ids : ['']
    await together(
      shops.flatMap((shop) => {
        const read = tx.none(sql.recordPush({ ...shop, platform, read_now: external_order_id === null }))
        if (external_order_id === null) return [read]
        const order = { ...shop, platform, external_order_id, traceparent: traceparentToKeep() }
        return [read, ...lines.map((external_line_id) => tx.none(sql.requestFetch({ ...order, external_line_id })))]
      }),
    )
    if (shops.length > 0) notify(tx, orderFetchChannel)
    return shops.length > 0 ? 'taken' : 'nobody'
  })
}
