import type { Config } from '#server/config.ts'
import type { OrderShipping, Refunded } from '#server/integrations/port.ts'
import { type PlatformSlug, platformOf } from '#shared/platforms.ts'
import type { LineStatus } from './decide-sale.ts'

/** Where an item was sold; `outside` is in person, without a marketplace. */
export type SalePlace = PlatformSlug | 'outside'

/** An order line as it was reported. */
export interface ReportedLine {
  external_line_id: string
  listing_id: string
  sku: string | null
  /** The title; absent where the platform does not tell it. */
  title?: string | null
  /** The size, where the platform tells it. */
  size?: string
  quantity: number
  /** Price of one unit; 0 where the reporter does not know it. */
  price_minor: number
  currency: string
  status: LineStatus
  /** The buyer of a paid line got all money back, or perhaps did. */
  refunded?: Refunded
  /** Set when the reporter knows the item, so that nothing has to be matched. */
  item_uid?: string
}

/** An order as it was reported. A listing that was seen as sold, or a sale in person, becomes an order of one line. */
export interface ReportedOrder {
  platform: SalePlace
  seller_account_uid: string | null
  external_order_id: string
  source: 'platform' | 'scraped' | 'outside'
  ordered_at: string
  modified_at: string
  lines: ReportedLine[]
  /** Absent where the reporter knows nothing of it. */
  shipping?: OrderShipping
}

/** The evidence of a sale. */
export interface Evidence {
  by: 'push' | 'poll' | 'extension' | 'seller' | 'import' | 'mail'
  /** First sighting (ISO). GET /api/v1/status/ measures delays from here. */
  seen_at: string
  note?: string
  /** The order itself is valid, but it bought another item than the one it was matched with. */
  isOfAnother?: boolean
}

/** A sale, a change of one, or its cancellation, with the evidence for it. `recordSale` takes nothing else. */
export interface ObservedSale {
  order: ReportedOrder
  evidence: Evidence
}

/** A listing whose page, or whose marketplace's list, shows it as sold. */
export interface SoldListing {
  /** Null where no import has read the shop. */
  seller_account_uid: string | null
  platform: PlatformSlug
  listing_id: string
  price_minor: number
  currency: string
  /** Set where the listing has no item, so that the item can be sought by them. */
  title?: string
  sku?: string | null
  /** When it was seen (ISO). */
  observed_at: string
  /** The import that saw it. */
  job_uid?: string
  /** `pending`: a buyer has it but may not have paid. `cancelled`: it is on offer again after it was seen as sold. */
  status?: LineStatus
  by?: 'extension' | 'import' | 'poll' | 'mail'
  /** The item it sold, where the item is not the one that the listing belongs to. */
  sold_item?: { item_uid: string; external_line_id: string }
}

/**
 * Returns the sale of a listing that was seen as sold. On marketplaces whose orders cannot be read, there is
 * no other record of it. On the others, the order replaces it once it is read.
 */
export function saleOfListing(listing: SoldListing): ObservedSale {
  const { listing_id, observed_at, title, sku = null } = listing
  return {
    order: {
      platform: listing.platform,
      seller_account_uid: listing.seller_account_uid,
      external_order_id: `listing-${listing_id}`,
      source: 'scraped',
      ordered_at: observed_at,
      modified_at: observed_at,
      lines: [
        {
          external_line_id: listing_id,
          ...{ listing_id, title, sku },
          quantity: 1,
          price_minor: listing.price_minor,
          currency: listing.currency,
          status: listing.status ?? 'paid',
          ...listing.sold_item,
        },
      ],
    },
    evidence: {
      by: listing.by ?? 'extension',
      seen_at: observed_at,
      ...(listing.job_uid ? { note: `import ${listing.job_uid}` } : {}),
    },
  }
}

/** Returns whether a line tells its price. */
export const isPriceKnown = ({ price_minor }: Pick<ReportedLine, 'price_minor'>): boolean => price_minor > 0

/** Returns the status of an order: cancelled if all lines are, paid if any line is. */
export function statusOfOrder(lines: readonly Pick<ReportedLine, 'status'>[]): LineStatus {
  if (lines.every(({ status }) => status === 'cancelled')) return 'cancelled'
  return lines.some(({ status }) => status === 'paid') ? 'paid' : 'pending'
}

/** Returns "on eBay" or "in person". */
export function placeName(platform: SalePlace): string {
  return platform === 'outside' ? 'in person' : `on ${platformOf(platform).name}`
}

/** Where the server is, and where its sandbox plays eBay and Etsy. */
export type LinkConfig = Pick<Config, 'PUBLIC_URL' | 'sandbox' | 'EBAY_API_URL' | 'ETSY_API_URL'>

/** Returns the page on which the seller cancels an order. An order of the sandbox has its page there. */
export function orderUrl(platform: PlatformSlug, externalOrderId: string, config?: LinkConfig): string {
  const id = encodeURIComponent(externalOrderId)
  if (config?.sandbox && platform === 'ebay') return `${config.EBAY_API_URL}/order/${id}`
  if (config?.sandbox && platform === 'etsy') return `${config.ETSY_API_URL}/order/${id}`
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
