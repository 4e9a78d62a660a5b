import { transaction } from '#server/infra/db/transaction.ts'
import { invalidField, notFound, problem } from '#server/infra/errors.ts'
import { recordStep } from '#server/selling/changes/record-step.ts'
import type { Services } from '#server/services.ts'
import { newOrderedId } from '#shared/identity.ts'
import { endQuestion } from './ask-which-item.ts'
import { saleContention } from './contention.ts'
import { isPriceKnown } from './observed-sale.ts'
import * as sql from './queries.ts'
import { recordSaleIn } from './record-sale.ts'
import type { ItemRow } from './sale-context.ts'

/**
 * Records that a line of an order sold an item, as the seller says; null: none of the items. `reference` names order and
 * line. Returns the change that can be undone; null for none. Repeating it changes nothing. Throws 404, 400 for an item that is not the seller's, and 409 `already_resolved` for a
 * line that sold another item or none.
 */
export function nameSoldItem(
  services: Pick<Services, 'db' | 'now'>,
  { user_id, reference }: { user_id: number; reference: string },
  item_uid: string | null,
): Promise<string | null> {
  const now = services.now().toISOString()
  return transaction(
    services.db,
    'name-sold-item',
    async (tx) => {
      const line = await tx.oneOrNone(sql.findQuestionedLine({ user_id, reference }))
      if (!line) throw notFound()
      const { order_uid: _, question, known_item_uid, ...order } = line
      if (question !== 'open' || known_item_uid !== null) {
        if (known_item_uid === item_uid) return null
        throw problem('already_resolved')
      }
      if (item_uid === null) {
        await endQuestion(tx, { user_id, reference })
        return null
      }
      const [item] = await tx.any(sql.lockItems({ user_id, uids: [item_uid] }))
      if (!item || item.redirect_uid) throw invalidField('item_uid', 'invalid_value', 'must be one of your items')
      const { platform, source, seller_account_uid, external_order_id, ordered_at, modified_at, ...reported } = order
      await recordSaleIn(tx, user_id, {
        order: {
          ...{ platform, seller_account_uid, external_order_id, source, ordered_at, modified_at },
          lines: [{ ...reported, ...(isPriceKnown(reported) ? {} : priceOf(item)), item_uid }],
        },
        evidence: { by: 'seller', seen_at: now },
      })
      const change_uid = newOrderedId('chg')
      await recordStep(tx, {
        ...{ user_id, change_uid, subject_uid: item_uid, kind: 'mark_sold', item_uid, after: { external_order_id } },
      })
      return change_uid
    },
    saleContention,
  )
}

const priceOf = ({ price_minor, currency }: ItemRow) => ({ price_minor, currency })
