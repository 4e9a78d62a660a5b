import { sql } from '#server/infra/db/index.ts'
import { prepared } from '#server/infra/db/prepared.ts'
import { HttpProblem } from '#server/infra/errors.ts'
import { withShopAccess } from '#server/integrations/connections/with-shop-access.ts'
import { PlatformError } from '#server/integrations/errors.ts'
import { inLane } from '#server/integrations/quota/index.ts'
import { recordOrder } from '#server/selling/sales/record-order.ts'
import type { Services } from '#server/services.ts'
import type { OAuthSlug } from '#shared/platforms.ts'
import { hintWaitSeconds } from './hint-wait.ts'
import type { OnStep } from './read-shop.ts'
import { toldBy } from './told-by-platform.ts'

const finishHint = prepared(sql(import.meta.url, './sql/finish-hint.sql'))
const putOffHint = sql(import.meta.url, './sql/put-off-hint.sql')

/** An order that a push told of (claim-hints.sql). */
export interface Hint {
  user_id: number
  seller_account_uid: string
  platform: OAuthSlug
  external_order_id: string
  attempts: number
  received_at: string
  claimed_at: string
}

/**
 * Fetches the order that a push told of, with its owner's own token, and records what the platform says; the push itself
 * changes nothing.
 */
export async function readHinted(services: Services, hint: Hint, signal: AbortSignal, step: OnStep): Promise<void> {
  try {
    await step('order-hint:fetch')
    const order = await inLane('sale', () =>
      withShopAccess(
        services,
        hint,
        async (access, { orders }) => orders?.readOrder(access, hint.external_order_id) ?? null,
        signal,
      ),
    )
    if (!order) {
      const after_seconds = hintWaitSeconds(hint.attempts, 'unknown')
      if (after_seconds === null) await services.db.none(finishHint, { ...hint, unknown: true })
      else await services.db.none(putOffHint, { ...hint, after_seconds })
      return
    }
    await step('order-hint:record')
    const evidence = { by: 'push', seen_at: hint.received_at } as const
    await recordOrder(services.db, hint.user_id, toldBy(hint, order), evidence, {
      also: (tx) => tx.none(finishHint, { ...hint, unknown: false }),
    })
    await step('order-hint:recorded')
  } catch (error) {
    if (signal.aborted) throw error
    // The shop is gone, or its account: nothing of theirs is read any more.
    if (error instanceof HttpProblem && error.code === 'not_found') {
      await services.db.none(finishHint, { ...hint, unknown: true })
      return
    }
    if (!(error instanceof PlatformError)) throw error
    services.log.warn({ err: error, seller_account_uid: hint.seller_account_uid }, 'an order could not be fetched')
    const told = (error.retryAfterMs ?? 0) / 1_000
    // Waiting for a turn is no failure: a sale does not wait longer than it has to.
    const isTurn = error.failure === 'rate_limited' && told > 0
    const after_seconds = isTurn ? told : Math.max(hintWaitSeconds(hint.attempts, 'failed') ?? 0, told)
    await services.db.none(putOffHint, { ...hint, after_seconds })
  }
}
