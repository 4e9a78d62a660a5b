import { sql } from '#server/infra/db/index.ts'
import { pipelinedTransaction } from '#server/infra/db/pipeline.ts'
import { notify } from '#server/infra/db/pubsub.ts'
import { traceparentToKeep } from '#server/infra/span.ts'
import { confirmConnection } from '#server/integrations/connections/confirm-connection.ts'
import type { Push } from '#server/integrations/push.ts'
import { scheduleReconcile } from '#server/selling/listings/reconcile/schedule-reconcile.ts'
import type { Services } from '#server/services.ts'
import type { OAuthSlug } from '#shared/platforms.ts'
import { eraseShop } from './erase-shop.ts'
import { orderFetchChannel } from './worker.ts'

const insertReceipt = sql(import.meta.url, './sql/insert-receipt.sql')
const findShops = sql(import.meta.url, './sql/find-pushed-shops.sql')
const recordPush = sql(import.meta.url, './sql/record-push.sql')
const requestOrderFetch = sql(import.meta.url, './sql/request-fetch.sql')

/** `taken`: accepted. `repeated`: acknowledged before. `nobody`: no shop of ours. `ignored`: an unused topic. */
export type PushOutcome = 'taken' | 'repeated' | 'nobody' | 'ignored'

/**
 * Stores a verified push in one transaction before it is acknowledged: an order to fetch, a shop to compare, a consent
 * to check, or data to erase. It has no other effect.
 */
export function acceptPush(services: Services, platform: OAuthSlug, push: Push): Promise<PushOutcome> {
  return pipelinedTransaction(services.db, async (tx) => {
    const { message_id, topic } = push
    const [isNew, shops] = await Promise.all([
      tx.oneOrNone(insertReceipt, {
        platform,
        message_id,
        topic: push.topic === 'other' ? push.name.slice(0, 100) : topic,
      }),
      'shop' in push
        ? tx.any<{ user_id: number; seller_account_uid: string }>(findShops, { platform, ...push.shop })
        : [],
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
    for (const shop of shops) {
      const { external_order_id } = push
      await tx.none(recordPush, { ...shop, platform, read_now: external_order_id === null })
      if (external_order_id === null) continue
      const lines = push.external_line_ids.length > 0 ? push.external_line_ids : ['']
      for (const external_line_id of lines) {
        await tx.none(requestOrderFetch, {
          ...{ ...shop, platform, external_order_id, external_line_id },
          traceparent: traceparentToKeep(),
        })
      }
    }
    if (shops.length > 0) notify(tx, orderFetchChannel)
    return shops.length > 0 ? 'taken' : 'nobody'
  })
}
