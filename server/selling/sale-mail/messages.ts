import { fitting } from '#server/http/answers/list-page.ts'
import type { Queries, Transaction } from '#server/infra/db/index.ts'
import type { RowOf } from '#server/infra/db/statement.ts'
import { transaction } from '#server/infra/db/transaction.ts'
import { invalidField, notFound, problem } from '#server/infra/errors.ts'
import { recordStep } from '#server/selling/changes/record-step.ts'
import { endQuestion } from '#server/selling/sales/ask-which-item.ts'
import { saleContention } from '#server/selling/sales/contention.ts'
import type { SaleMarketplace } from '#server/selling/sales/find-sold-item.ts'
import type { Services } from '#server/services.ts'
import { offsetOf } from '#shared/contract/declaring/pages.ts'
import type { SaleMailMessage } from '#shared/contract/selling/sale-mail.ts'
import { newOrderedId } from '#shared/identity.ts'
import { PlatformSlug } from '#shared/platforms.ts'
import { holdListing, sellUnlisted } from './deciding/hold-lines.ts'
import * as sql from './queries.ts'

type Row = Omit<SaleMailMessage, 'confirmation' | 'items'> & { confirmation: SaleMailMessage['confirmation'] | null }

/** Returns a page of decided mails, newest first. */
export async function listMails(
  { db }: Pick<Services, 'db'>,
  user_id: number,
  query: { outcome?: SaleMailMessage['outcome']; uid?: string; page?: number; page_size?: number },
): Promise<{ count: number; results: SaleMailMessage[] }> {
  const chosen = { user_id, outcome: query.outcome ?? null, uid: query.uid ?? null }
  const { count } = await db.one(sql.countMails(chosen))
  const rows = await db.any(sql.listMails({ ...chosen, ...offsetOf(query) }))
  return { count, results: fitting(await withItems(db, user_id, rows)) }
}

async function readMail(queries: Queries, user_id: number, uid: string): Promise<SaleMailMessage> {
  const row = await queries.oneOrNone(sql.listMails({ user_id, uid, outcome: null, limit: 1, offset: 0 }))
  if (!row) throw notFound()
  return (await withItems(queries, user_id, [row]))[0]!
}

async function withItems(queries: Queries, user_id: number, rows: readonly Row[]): Promise<SaleMailMessage[]> {
  const uids = [...new Set(rows.flatMap(({ item_uids }) => item_uids))]
  const found = uids.length > 0 ? await queries.any(sql.listItems({ user_id, uids })) : []
  const items = new Map(found.map((item) => [item.inventory_item_uid, item]))
  return rows.map(({ confirmation, ...row }) => ({
    ...row,
    items: row.item_uids.flatMap((uid) => items.get(uid) ?? []),
    ...(confirmation && { confirmation }),
  }))
}

/**
 * Takes the seller's answer to a mail that fits several items or none, or is not understood: the item is held, or nothing
 * is (null). `among`: any item that is listed there may be named, not only those that fit. Repeating
 * an answer changes nothing. Returns the mail, with the change of a held item, which can be undone. Throws `not_found`; `conflict` for a mail that asks nothing; `already_resolved` after
 * another answer; `invalid_request` for an item that the mail cannot be about.
 */
export async function resolveMail(
  services: Pick<Services, 'db' | 'now'>,
  { user_id, uid }: { user_id: number; uid: string },
  item_uid: string | null,
  among: 'candidates' | 'any' = 'candidates',
): Promise<SaleMailMessage> {
  const resolve = async (tx: Transaction) => {
    await tx.any(sql.lockMails({ user_id }))
    const given = await tx.oneOrNone(sql.findMail({ user_id, uid }))
    if (!given) throw notFound()
    if (given.resolved_at !== null) {
      const isSame =
        item_uid === null ? given.outcome === 'ignored' : given.item_uids[0] === item_uid && given.outcome === 'held'
      if (!isSame) throw problem('already_resolved')
      return readMail(tx, user_id, uid)
    }
    const isUnclear =
      given.outcome === 'ambiguous' ||
      given.outcome === 'unmatched' ||
      given.reason === 'form' ||
      given.reason === 'sender'
    const asks = given.kind === 'sale' && isUnclear
    const { marketplace } = given
    if (!asks || marketplace === null) throw problem('conflict', 'This mail leaves no question open.')
    const isOpen = among === 'any' || given.outcome !== 'ambiguous'
    if (item_uid !== null && !isOpen && !given.item_uids.includes(item_uid)) throw notCandidate()
    const item_uids = item_uid === null ? [] : [item_uid]
    // Undoing the same answer canceled its sale, which an older report does not bring back.
    const told_at =
      item_uid !== null && (await tx.oneOrNone(sql.findUndoneAnswer({ user_id, uid, item_uid })))
        ? services.now().toISOString()
        : given.sent_at
    const sold = item_uid === null ? null : await sell(tx, { ...given, user_id, marketplace, told_at }, item_uid)
    const listing_ids = sold?.listing_ids ?? []
    await tx.none(
      sql.resolveMail({ user_id, uid, outcome: item_uid === null ? 'ignored' : 'held', item_uids, listing_ids }),
    )
    await endQuestion(tx, { user_id, reference: uid })
    const mail = await readMail(tx, user_id, uid)
    if (item_uid === null || !sold) return mail
    const change_uid = newOrderedId('chg')
    const { outcome, reason, item_uids: candidates } = given
    await recordStep(tx, {
      ...{ user_id, change_uid, subject_uid: item_uid, kind: 'mark_sold', item_uid, title: sold.title },
      before: { outcome, reason, item_uids: candidates },
      after: { external_order_id: sold.external_order_id, reference: uid },
    })
    return { ...mail, change_uid }
  }
  return transaction(services.db, 'resolve-mail', resolve, saleContention)
}

const notCandidate = () => invalidField('item_uid', 'invalid_value', 'must be one of the items that the mail fits')

type AnsweredMail = RowOf<typeof sql.findMail> & {
  user_id: number
  marketplace: SaleMarketplace
  /** The time up to which the answer overrules what was known of the sale (ISO). */
  told_at: string
}

/** A mail that asks which item was sold, as undoing the answer leaves it. */
export type AskedMail = Pick<RowOf<typeof sql.findMail>, 'outcome' | 'reason' | 'item_uids'>

/** Takes back the seller's answer to a mail, in the caller's transaction. */
export async function reopenMail(tx: Queries, mail: { user_id: number; uid: string } & AskedMail): Promise<void> {
  await tx.none(sql.reopenMail(mail))
}

/** Holds the item's listing there, or records the item as sold. Returns the ids of the listing, and those of the sale. */
async function sell(
  tx: Transaction,
  mail: AnsweredMail,
  item_uid: string,
): Promise<{ listing_ids: string[]; external_order_id: string; title: string }> {
  const { user_id, marketplace, told_at, received_at, price_minor, currency } = mail
  const [item] = await tx.any(sql.listItems({ user_id, uids: [item_uid] }))
  if (!item) throw notCandidate()
  const price = price_minor !== null && currency !== null ? { price_minor, currency } : {}
  const platform = PlatformSlug.safeParse(marketplace)
  const listing = platform.success
    ? await tx.oneOrNone(sql.findListingOfItem({ user_id, item_uid, platform: platform.data }))
    : null
  if (!platform.success || !listing) {
    const sold = { price_minor: item.price_minor, currency: item.currency, ...price, item_uid }
    const external_order_id = await sellUnlisted(tx, { ...mail, seen_at: received_at }, sold)
    return { listing_ids: [], external_order_id, title: item.title }
  }
  const held = await holdListing(tx, { ...mail, platform: platform.data, sent_at: told_at }, { ...listing, ...price })
  if (held.outcome !== 'held')
    throw problem('conflict', 'The listing came on offer after this sale, or was sold and freed.')
  return { listing_ids: [listing.listing_id], external_order_id: held.external_order_id, title: item.title }
}
