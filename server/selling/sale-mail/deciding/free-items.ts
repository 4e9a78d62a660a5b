import type { Transaction } from '#server/infra/db/index.ts'
import type { Asked } from '#server/selling/sales/ask-which-item.ts'
import * as sql from '../queries.ts'
import type { Hint } from '../reading/hint.ts'
import { type BelievedMail, freeListing } from './hold-lines.ts'

interface Freed {
  outcome: 'freed' | 'ignored' | 'unmatched'
  item_uids: string[]
  /** Asks the seller to look at the marketplace. */
  asks?: { about: Asked; candidates: [] }
}

/**
 * Frees what the sale of a cancellation holds, in the caller's transaction. It asks instead where another mail calls the
 * listing sold, too, and where listings of several sales have its title.
 */
export async function freeItems(
  tx: Transaction,
  mail: BelievedMail,
  { order_id, title }: Extract<Hint, { kind: 'cancellation' }>,
): Promise<Freed> {
  const { user_id, platform } = mail
  const found = await tx.any(sql.findHeld({ user_id, marketplace: platform, order_id, title }))
  if (found.length === 0) return { outcome: 'unmatched', item_uids: [] }
  const held = found.filter(({ is_claimed }) => is_claimed)
  const isOfSeveral = order_id === null && new Set(held.map(({ sale_uid }) => sale_uid)).size > 1
  const isSure = !isOfSeveral && held.every(({ is_told_by_another }) => !is_told_by_another)
  if (!isSure) return { outcome: 'ignored', item_uids: [], asks: { about: 'unread_cancellation', candidates: [] } }
  const item_uids: string[] = []
  for (const listing of held) if (await freeListing(tx, mail, listing)) item_uids.push(listing.item_uid)
  return { outcome: item_uids.length > 0 ? 'freed' : 'ignored', item_uids }
}
