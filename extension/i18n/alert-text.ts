import type { Alert } from '#shared/contract/selling/orders.ts'
import { platformOf } from '#shared/platforms.ts'
import { placeText } from './place-name.ts'
import { text } from './text.ts'

/** Etsy's fee for a listing, which it charges in USD everywhere. */
const etsyFee = () => new Intl.NumberFormat(undefined, { style: 'currency', currency: 'USD' }).format(0.2)

/** Returns the headline of an alert: "Still live on Etsy". */
export function alertText(alert: Alert): string {
  const platform = alert.platform ? platformOf(alert.platform).name : ''
  switch (alert.kind) {
    case 'oversell':
      return text(alert.external_order_id ? 'alert.oversell' : 'alert.oversell_unknown', {
        platform,
        order: alert.external_order_id ?? '',
      })
    case 'relist_offer':
      return text(alert.relist_on.length > 0 ? 'alert.relist_offer' : 'alert.sale_cancelled', {
        platforms: new Intl.ListFormat('en').format(alert.relist_on.map((slug) => platformOf(slug).name)),
      })
    case 'listing_expired':
      return text('alert.listing_expired', { platform, fee: etsyFee() })
    case 'sale_unclear':
      if (alert.platform === null) return text('alert.sale_unclear_elsewhere')
      return text(alert.sold ? 'alert.sale_unclear' : 'alert.sale_unread', { platform })
    case 'delist_overdue':
      return text(alert.ended_said_at ? 'alert.ended_said' : 'alert.delist_overdue', { platform })
    default:
      return text(`alert.${alert.kind}`, { platform })
  }
}

/** Returns what speaks for and against an item that may have been sold: "Same SKU, other title". */
export function candidateText({ agrees, differs }: NonNullable<Alert['candidates']>[number]): string {
  const words = [
    ...agrees.map((fact) => text(`alert.agrees.${fact}`)),
    ...differs.map((fact) => text(`alert.differs.${fact}`)),
  ].join(', ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}

/** Returns the state of Hapax's work on an alert, or the consequence until the seller acts. `ago` writes a time. */
export function alertDetail(alert: Alert, ago: (at: number) => string): string {
  const since = ago(Date.parse(alert.since))
  const sold = alert.sold_on
    ? text('alert.sold_on', { place: placeText(alert.sold_on), when: ago(Date.parse(alert.sold_at ?? alert.since)) })
    : null
  switch (alert.kind) {
    case 'connection_lost':
      return text('alert.connection_lost_detail')
    case 'orders_unread':
      return text('alert.orders_unread_detail', { when: since })
    case 'delist_overdue':
      if (alert.ended_said_at) return [sold, text('alert.ended_said_detail')].filter((part) => part !== null).join(' ')
      // The headline and its button say what only the seller can do.
      if (sold && alert.progress.state === 'waiting_for_seller') return sold
      return [sold, alert.advice ?? progressText(alert.progress)].filter((part) => part !== null).join(' ')
    case 'relist_offer':
      if (!alert.relist_state || !alert.platform) return text('alert.relist_offer_detail')
      return text(`alert.relist_${alert.relist_state}`, { platform: platformOf(alert.platform).name })
    case 'sale_refunded':
      return text('alert.sale_refunded_detail')
    case 'listing_expired':
      return text('alert.listing_expired_detail')
    case 'sale_unclear':
    case 'relist_unclear':
      return alert.message
    case 'update_refused':
      return alert.progress.last_error ?? text('alert.update_refused_detail')
    case 'listing_refused':
      if (alert.progress.state === 'retrying') return text('alert.listing_again')
      return alert.progress.last_error ?? text('alert.listing_refused_detail')
    default:
      return sold ?? text('alert.since', { when: since })
  }
}

function progressText({ state, attempts, next_try_at }: Alert['progress']): string {
  const isTrying = state === 'retrying' && next_try_at === null
  return text(`alert.progress_${isTrying ? 'trying' : state}`, { n: attempts })
}
