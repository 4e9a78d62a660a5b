import type { Queries } from '#server/infra/db/index.ts'
import type { RowOf } from '#server/infra/db/statement.ts'
import { readMailWitness } from '#server/integrations/sale-sight/mail-witness.ts'
import { apiPlatforms } from '#server/selling/listings/operation.ts'
import { type LinkConfig, orderUrl } from '#server/selling/sales/observed-sale.ts'
import { witnessOf } from '#server/selling/sales/witness.ts'
import type { Check } from '#shared/contract/catalog/checks.ts'
import type { Witness } from '#shared/contract/catalog/inventory.ts'
import { type PlatformSlug, platformOf } from '#shared/platforms.ts'
import * as sql from './queries.ts'

/** A page with live listings that was not read for this many days is worth a word. */
const silentDays = 3

/** Returns where witnesses disagree, or are silent. Reads the sales of a month and the shops, never the inventory. */
export async function witnessChecks(queries: Queries, user_id: number, config?: LinkConfig): Promise<Check[]> {
  const sales = await queries.any(sql.findUnconfirmedSales({ user_id, api_platforms: apiPlatforms }))
  const shops = await queries.any(
    sql.countLiveListings({ user_id, api_platforms: apiPlatforms, silent_days: silentDays }),
  )
  const mails = shops.length > 0 ? await readMailWitness(queries, user_id) : new Map<PlatformSlug, string>()
  return [...sales.map((sale) => unconfirmedSale(sale, config)), ...shops.map((shop) => unreadShop(shop, mails))]
}

type UnconfirmedSale = RowOf<typeof sql.findUnconfirmedSales>

const told: Record<Witness, string> = { api: 'by the API', page: 'by its page', mail: 'by mail', seller: 'by you' }

function unconfirmedSale(sale: UnconfirmedSale, config?: LinkConfig): Check {
  const { name, capabilities } = platformOf(sale.sold_on)
  const witness = witnessOf(sale.source, sale.sold_on)
  const readAt = capabilities.orders ? sale.orders_read_at : sale.page_read_at
  const other = capabilities.orders ? 'no order there' : 'its page has not shown it'
  const isRead = readAt !== null && Date.parse(readAt) > Date.parse(sale.recorded_at)
  const since = readAt ? `not read since ${readAt.slice(0, 10)}` : 'never read'
  return {
    ...ofWitness,
    uid: `chk${sale.order_uid.slice(3)}`,
    kind: 'sale_unconfirmed',
    message: `Sold on ${name}, told ${witness === 'api' ? 'by the listing' : told[witness]}; ${isRead ? other : `${capabilities.orders ? 'orders' : 'page'} ${since}`}.`,
    since: new Date(sale.recorded_at).toISOString(),
    inventory_item_uid: sale.item_uid,
    item_title: sale.title,
    item_image: sale.image,
    item_state: sale.item_state,
    sold_on: sale.sold_on,
    witness,
    read_at: readAt && new Date(readAt).toISOString(),
    taking_down: sale.taking_down,
    waiting_on: sale.waiting_on,
    ended_on: sale.ended_on,
    can_free: witness !== 'api' && sale.item_state === 'reserved',
    manual: [{ marketplace: sale.sold_on, url: orderUrl(sale.sold_on, sale.external_order_id, config) }],
  }
}

interface UnreadShop {
  seller_account_uid: string
  platform: PlatformSlug
  external_name: string
  url: string
  last_seen_at: string | null
  last_synced_at: string | null
  connected_at: string
  live: number
}

function unreadShop(shop: UnreadShop, mails: ReadonlyMap<PlatformSlug, string>): Check {
  const { name } = platformOf(shop.platform)
  const since = new Date(shop.last_seen_at ?? shop.last_synced_at ?? shop.connected_at).toISOString()
  const otherwise = mails.has(shop.platform) ? 'A sale would be seen by mail only.' : 'A sale would not be seen.'
  const listings = shop.live === 1 ? '1 listing is live' : `${shop.live} listings are live`
  return {
    ...ofWitness,
    uid: `chk${shop.seller_account_uid.slice(3)}`,
    kind: 'shop_unread',
    message: `${name} has not been read since ${since.slice(0, 10)}, and ${listings} there. ${otherwise}`,
    since,
    read_at: since,
    manual: [{ marketplace: shop.platform, url: shop.url }],
  }
}

const ofWitness = {
  inventory_item_uid: null,
  item_title: null,
  item_image: null,
  item_state: null,
  sold_on: null,
  witness: null,
  read_at: null,
  taking_down: [],
  listings: [],
  action: 'open',
  alert_uid: null,
  difference_uid: null,
  task_uid: null,
  conflict: null,
  can_dismiss: false,
} satisfies Partial<Check>
