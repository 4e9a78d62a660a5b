import type { Queries } from '#server/infra/db/index.ts'
import type { Alert } from '#shared/contract/selling/orders.ts'
import { newId } from '#shared/identity.ts'
import { findPlatform, unconnectedMarketplaces } from '#shared/platforms.ts'
import type { AlertData } from './alerts.ts'
import type { KnownOffer, SaleMarketplace } from './find-sold-item.ts'
import type { WeighedOffer } from './identify-item.ts'
import { isPriceKnown } from './observed-sale.ts'
import * as sql from './queries.ts'
import type { SaleContext } from './sale-context.ts'

/** An item that may be the one that was sold, with the facts for and against it. */
export type Candidate = NonNullable<Alert['candidates']>[number]

/** Returns an item as the question shows it. */
export function candidateOf({ offer, agrees, objections }: Omit<WeighedOffer<KnownOffer>, 'likeness'>): Candidate {
  const { price_minor, currency } = offer.listing ?? offer
  const shown = { inventory_item_uid: offer.item_uid, title: offer.title, image: offer.image, price_minor, currency }
  return { ...shown, agrees: [...agrees], differs: [...objections] }
}

/**
 * The subject of a question: a single item, one that a bundle counts and does not name, one of at least two in a bundle, a mail
 * in an unknown form, or mails that were not taken.
 */
export type Asked = 'item' | 'counted' | 'at_least' | 'unread_sale' | 'unread_cancellation' | 'mails_refused'

/** A sale whose item only the seller can name. */
export interface Question {
  user_id: number
  /** Null where the mail names none. */
  platform: SaleMarketplace | null
  /** The line of an order, or the mail; a question about it is open once. */
  reference: string
  sold: NonNullable<Alert['sold']>
  about: Asked
  candidates: readonly Candidate[]
  /** It was sold anew since the seller answered. */
  isAnew?: boolean
  /** Ids by which the alert leads to the order or the mail. */
  data: AlertData
}

/** Raises the alert that asks which item was sold. A question that the seller has answered is not asked again. */
export async function askWhichItem(tx: Queries, question: Question): Promise<void> {
  const { user_id, platform, reference, about, candidates, isAnew = false } = question
  const namesSale = about !== 'unread_cancellation' && about !== 'mails_refused'
  const data = namesSale ? { ...question.data, sold: question.sold, candidates } : question.data
  await tx.any(
    sql.insertAlert({
      ...{ user_id, uid: newId('alm'), kind: 'sale_unclear', item_uid: null, reference, once: !isAnew },
      platform: (platform && findPlatform(platform)?.slug) ?? null,
      message: messageOf(question),
      data: JSON.stringify(data),
    }),
  )
}

/** Ends the question about a line of an order or a mail. */
export async function endQuestion(tx: Queries, { user_id, reference }: { user_id: number; reference: string }) {
  await tx.any(sql.resolveAlerts({ user_id, kind: 'sale_unclear', item_uid: null, reference }))
}

/** Asks again about a line or a mail whose answer the seller took back. */
export async function reopenQuestion(tx: Queries, { user_id, reference }: { user_id: number; reference: string }) {
  await tx.none(sql.reopenQuestion({ user_id, reference }))
}

/**
 * Asks about a line that fits no item for certain. An order from before the shop's listings were known is left alone, and
 * so is a listing that the seller keeps out of the inventory. A listing that was just seen as sold is no order from before.
 */
export async function askAboutLine({ tx, user_id, key, order, line, match, before }: SaleContext): Promise<void> {
  const { candidates } = match ?? {}
  const { seller_account_uid, ordered_at, platform, source, uid: order_uid, external_order_id } = order
  if (!candidates || platform === 'outside') return
  const { listing_id, title = null } = line
  const price = isPriceKnown(line) ? line : { price_minor: null, currency: null }
  const shop = { user_id, seller_account_uid, ordered_at, listing_id }
  const { is_known_shop, is_left_out } = await tx.one(sql.readQuestionContext(shop))
  if (is_left_out || (candidates.length === 0 && !is_known_shop && source === 'platform')) return
  await askWhichItem(tx, {
    ...{ user_id, platform, reference: key, about: 'item', candidates, isAnew: before?.state === 'cancelled' },
    sold: { title, price_minor: price.price_minor, currency: price.currency },
    data: { order_uid, external_order_id, ...(listing_id && { listing_id }) },
  })
}

function messageOf({ platform, sold, candidates, about, data }: Question): string {
  const names: Record<string, string> = unconnectedMarketplaces
  const where = platform === null ? 'a marketplace' : (findPlatform(platform)?.name ?? names[platform]!)
  const untitled = data.listing_id ? `Listing ${data.listing_id}` : 'Something'
  const what = sold.title === null ? untitled : `"${sold.title}"`
  switch (about) {
    case 'item':
      return `${what} sold on ${where}. ${reasonOf(candidates)} Its other listings stay live until you answer.`
    case 'counted':
      return `${what} sold on ${where}. The mail does not name this item of the bundle. Its other listings stay live until you answer.`
    case 'at_least':
      return `${what} sold on ${where}, at least two items. The mail names none of them. Their other listings stay live until you answer.`
    case 'unread_sale':
      return `${where} wrote about a sale in a form that Hapax does not know. Look on ${where}, and say which item sold.`
    case 'mails_refused':
      return 'So many mails came in that Hapax takes no more for a day. Look for sales on your marketplaces. If strangers write to your sale address, replace it.'
    case 'unread_cancellation':
      return `${where} wrote about a canceled sale in a form that Hapax does not know. Look on ${where}.`
  }
}

const objectionWords: Record<Candidate['differs'][number], string> = {
  title: 'another title',
  size: 'another size',
  price: 'a lower price',
  other_listing: 'a listing of its own there',
  not_live: 'no live listing there',
  past_sale: 'a past sale in your file',
}

/** Says why no item was chosen. */
function reasonOf(candidates: readonly Candidate[]): string {
  const [first] = candidates
  if (!first) return 'Hapax knows no such listing.'
  if (first.agrees.length === 0 && candidates.length > 1)
    return 'Hapax knows no such listing, and some items look like it.'
  if (candidates.length > 1) return `${candidates.length} of your items may be it.`
  if (first.differs.length === 0) return `It looks like "${first.title}", and the title is a little different.`
  const shared = first.agrees.includes('sku') ? 'Its SKU is that of' : 'It looks like'
  const reasons = first.differs.map((fact) => objectionWords[fact])
  return `${shared} "${first.title}", which has ${new Intl.ListFormat('en').format(reasons)}.`
}
