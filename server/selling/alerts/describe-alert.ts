import type { RowOf } from '#server/infra/db/statement.ts'
import { type LinkConfig, orderUrl } from '#server/selling/sales/observed-sale.ts'
import type { Alert } from '#shared/contract/selling/orders.ts'
import { OAuthSlug } from '#shared/platforms.ts'
import type * as sql from './queries.ts'
import { suggestions } from './suggestions.ts'

/** An alert with the joined columns of the list. */
type AlertRow = RowOf<typeof sql.listAlerts>

/** Returns an alert as the API shows it: event, time, Hapax's progress and the seller's actions. */
export function describeAlert(row: AlertRow, config: LinkConfig): Alert {
  const { data } = row
  const relist_on = (data.platforms ?? []).filter((one) => ![...row.live_on, ...row.checking_on].includes(one))
  const isChecking = row.state === 'open' && row.checking_on.length > 0
  const isUnsure = (action: string) => action === 'list_again' && isChecking && relist_on.length === 0
  return {
    uid: row.uid,
    kind: row.kind,
    state: row.state,
    urgency: row.urgency,
    message: row.message,
    platform: row.platform,
    inventory_item_uid: row.item_uid,
    title: row.title,
    image: row.image,
    price_minor: row.price_minor,
    currency: row.currency,
    seller_account_uid: row.seller_account_uid,
    shop_name: row.shop_name,
    order_uid: data.order_uid ?? null,
    external_order_id: data.external_order_id ?? null,
    listing_id: data.listing_id ?? null,
    listing_url: data.listing_url ?? null,
    sold_on: row.sold_on,
    sold_at: row.sold_at,
    since: sinceOf(row),
    progress: progressOf(row),
    ...(data.advice ? { advice: data.advice } : {}),
    ...(data.ended_said_at !== undefined && { ended_said_at: new Date(data.ended_said_at).toISOString() }),
    actions: actionsOf(row, config).filter(({ action }) => !isUnsure(action)),
    task_uid: row.task_uid,
    suggestion: isUnsure(suggestions[row.kind]) ? 'check_listing' : suggestions[row.kind],
    relist_on,
    ...(isChecking ? { relist_state: 'checking' } : row.is_relisted && { relist_state: 'relisted' }),
    ...(data.candidates && { candidates: data.candidates }),
    ...(data.sold && { sold: data.sold }),
    ...(data.sale_mail_uid !== undefined && { sale_mail_uid: data.sale_mail_uid }),
    created_at: row.created_at,
  }
}

function sinceOf(row: AlertRow): string {
  if (row.kind === 'delist_overdue') return row.operation_since ?? row.created_at
  if (row.kind === 'orders_unread') return row.orders_read_at ?? row.created_at
  return row.created_at
}

function progressOf(row: AlertRow): Alert['progress'] {
  const idle = { state: 'waiting_for_seller', attempts: 0, next_try_at: null, last_error: null } as const
  if (row.state !== 'open') return { ...idle, state: 'finished' }
  const refused = row.kind === 'update_refused' || row.kind === 'listing_refused' ? row.data.reason : null
  if (row.kind === 'orders_unread' && row.orders_next_at !== null) {
    return {
      state: 'retrying',
      attempts: row.order_failures ?? 0,
      next_try_at: row.orders_next_at,
      last_error: row.order_error,
    }
  }
  if (row.operation_state !== 'open') return { ...idle, last_error: refused ?? null }
  return {
    state: row.shop_status === 'connected' ? 'retrying' : 'waiting_for_connection',
    attempts: row.attempts ?? 0,
    next_try_at: row.is_trying ? null : row.next_attempt_at,
    last_error: refused ?? row.operation_error,
  }
}

/** Returns the actions, best first. */
function actionsOf(row: AlertRow, config: LinkConfig): Alert['actions'] {
  if (row.state !== 'open') return []
  const { platform, data } = row
  const reconnect = OAuthSlug.safeParse(platform).success
    ? [{ action: 'reconnect' as const, url: `${config.PUBLIC_URL}/connect/?to=${platform}` }]
    : []
  const order =
    platform && data.external_order_id
      ? [{ action: 'open_order' as const, url: orderUrl(platform, data.external_order_id, config) }]
      : []
  const listing = data.listing_url ? [{ action: 'open_listing' as const, url: data.listing_url }] : []
  const dismiss = [{ action: 'dismiss' as const, url: null }]
  switch (row.kind) {
    case 'connection_lost':
      return reconnect
    case 'orders_unread':
      return [...(row.shop_status === 'connected' ? [] : reconnect), ...dismiss]
    case 'delist_overdue':
      return [
        ...(row.shop_status === 'reconnect_required' ? reconnect : []),
        ...(progressOf(row).state === 'retrying' ? [{ action: 'retry' as const, url: null }] : []),
        ...listing,
        ...dismiss,
      ]
    case 'update_refused':
      return [{ action: 'edit_item', url: `${config.PUBLIC_URL}/app/#item/${row.item_uid}/edit` }, ...dismiss]
    case 'listing_refused':
      return [
        { action: 'retry', url: null },
        { action: 'open_item', url: `${config.PUBLIC_URL}/app/#item/${row.item_uid}` },
        ...dismiss,
      ]
    case 'relist_offer':
      return [{ action: 'list_again', url: null }, ...dismiss]
    case 'listing_expired':
      return [{ action: 'list_again', url: null }, ...listing, ...dismiss]
    case 'sale_refunded':
      return [{ action: 'take_back_sale', url: null }, ...order, ...dismiss]
    case 'sale_unclear':
      return dismiss
    case 'relist_unclear':
      return [...listing, ...dismiss]
    case 'oversell':
    case 'excess_quantity':
    case 'sold_while_withdrawn':
      return [...order, ...dismiss]
  }
}
