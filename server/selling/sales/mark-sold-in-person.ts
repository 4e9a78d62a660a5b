import { transaction } from '#server/infra/db/transaction.ts'
import { notFound, problem } from '#server/infra/errors.ts'
import { findChange, recordStep } from '#server/selling/changes/record-step.ts'
import { queueDelisting } from '#server/selling/listings/operations/queue-delisting.ts'
import type { Services } from '#server/services.ts'
import { newOrderedId } from '#shared/identity.ts'
import type { PlatformSlug } from '#shared/platforms.ts'
import { saleContention } from './contention.ts'
import * as sql from './queries.ts'
import { recordSaleIn } from './record-sale.ts'

interface SoldInPerson {
  uid: string
  state: 'sold'
  /** Platforms where it is being taken down, by an operation or a task. */
  taking_down: PlatformSlug[]
  /** The change that can be undone. */
  change_uid?: string
}

/**
 * Marks an item as sold in person and takes it down everywhere. Repeating it returns the same answer.
 * Throws 404 for another user's item and 409 `not_available` when a platform's order has it.
 */
export async function markSoldInPerson(
  services: Pick<Services, 'db' | 'now'>,
  given: { user_id: number; item_uid: string; note?: string; price_minor?: number },
): Promise<SoldInPerson> {
  const { user_id, item_uid } = given
  const now = services.now().toISOString()
  return transaction(
    services.db,
    'mark-sold-in-person',
    async (tx) => {
      const [item] = await tx.any(sql.lockItems({ user_id, uids: [item_uid] }))
      if (!item) throw notFound()
      if (item.redirect_uid)
        throw problem('conflict', `This item was merged into ${item.redirect_uid}. Mark that one as sold.`)
      if (item.state === 'sold') {
        const claims = await tx.any(sql.readClaims({ user_id, item_uid }))
        const outside = claims.find(({ state, platform }) => state === 'sold' && platform === 'outside')
        if (!outside) throw problem('not_available', 'The item is already sold.')
        const made = await queueDelisting(tx, {
          ...{ user_id, item_uid, except: null, cause: 'mark_sold', cause_ref: outside.order_uid },
          reason: 'Sold in person',
        })
        const platforms = [...made.operations.map(({ platform }) => platform), ...made.tasks, ...made.cancelled]
        const change_uid = await findChange(tx, { user_id, subject_uid: item_uid })
        return { ...answer(item_uid, platforms), ...(change_uid ? { change_uid } : {}) }
      }
      // The version makes a sale after a taken-back one another order; a repeated call finds the item sold.
      const external_order_id = `${item_uid}-${item.version}`
      const { lines } = await recordSaleIn(tx, user_id, {
        order: {
          platform: 'outside',
          seller_account_uid: null,
          external_order_id,
          source: 'outside',
          ordered_at: now,
          modified_at: now,
          lines: [
            {
              external_line_id: item_uid,
              listing_id: '',
              sku: null,
              quantity: 1,
              price_minor: given.price_minor ?? item.price_minor,
              currency: item.currency,
              status: 'paid',
              item_uid,
            },
          ],
        },
        evidence: { by: 'seller', seen_at: now, note: given.note },
      })
      const change_uid = newOrderedId('chg')
      await recordStep(tx, {
        ...{ user_id, change_uid, subject_uid: item_uid, kind: 'mark_sold', item_uid, after: { external_order_id } },
      })
      return { ...answer(item_uid, lines[0]?.taking_down ?? []), change_uid }
    },
    saleContention,
  )
}

function answer(uid: string, platforms: PlatformSlug[]): SoldInPerson {
  return { uid, state: 'sold', taking_down: [...new Set(platforms)] }
}
