import { type PlatformSlug, platformOf } from '#shared/platforms.ts'
import type { LineNow } from './decide-sale.ts'

/** Where something was sold; `outside` is in person, without any platform. */
export type SalePlace = PlatformSlug | 'outside'

/** A line of an order as it was told to us. */
export interface ReportedLine {
  external_line_id: string
  listing_id: string
  sku: string | null
  quantity: number
  /** Of one unit. */
  price_minor: number
  currency: string
  status: LineNow['status']
  /** Given where the seller, or a scraped listing, names the item itself. */
  item_uid?: string
}

/** An order as it was told to us: by a platform's API, by a listing that the extension saw as sold, by the seller. */
export interface ReportedOrder {
  platform: SalePlace
  seller_account_uid: string | null
  external_order_id: string
  source: 'platform' | 'scraped' | 'outside'
  ordered_at: string
  modified_at: string
  lines: ReportedLine[]
}

/** How we came to know. */
export interface Evidence {
  by: 'push' | 'poll' | 'extension' | 'seller' | 'import'
  /** When we first heard of it (ISO); the figures of GET /api/v1/status/ count from here. */
  seen_at: string
  note?: string
  /** The order stands: what it bought has turned out to be another item, and this one lets go of it. */
  isOfAnother?: boolean
}

/** The order as a whole: cancelled when all of it is, paid when any of it is. */
export function statusOfOrder(lines: readonly Pick<ReportedLine, 'status'>[]): LineNow['status'] {
  if (lines.every(({ status }) => status === 'cancelled')) return 'cancelled'
  return lines.some(({ status }) => status === 'paid') ? 'paid' : 'pending'
}

/** "on eBay", "in person". */
export function placeName(platform: SalePlace): string {
  return platform === 'outside' ? 'in person' : `on ${platformOf(platform).name}`
}

/** Where the seller cancels an order. */
export function orderUrl(platform: PlatformSlug, externalOrderId: string): string {
  const id = encodeURIComponent(externalOrderId)
  switch (platform) {
    case 'ebay':
      return `https://www.ebay.com/sh/ord/details?orderid=${id}`
    case 'etsy':
      return `https://www.etsy.com/your/orders/sold?order_id=${id}`
    case 'poshmark':
      return 'https://poshmark.com/order/sales'
    case 'mercari':
      return 'https://www.mercari.com/mypage/listings/in_progress/'
    case 'depop':
      return 'https://www.depop.com/sellinghub/sold-items/'
  }
}
