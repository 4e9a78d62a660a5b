import type { Queries } from '#server/infra/db/index.ts'
import type { PlatformSlug } from '#shared/platforms.ts'
import { recordOrderIn } from './record-order.ts'
import type { RecordedLine } from './sale-context.ts'

export interface ScrapedSale {
  user_id: number
  seller_account_uid: string
  platform: PlatformSlug
  /** A listing that has an item of ours (channel_listing). */
  listing_id: string
  price_minor: number
  currency: string
  /** When it was seen as sold (ISO). */
  observed_at: string
  /** The import that saw it. */
  job_uid?: string
  /** `cancelled`: it was seen as sold, and is on offer again. `pending`: a buyer has it who may not have paid. */
  status?: 'paid' | 'pending' | 'cancelled'
  /** Who saw it; the extension when left out. */
  by?: 'extension' | 'import' | 'poll'
}

/**
 * A listing that was seen as sold counts as a sale there (decisions 8): on platforms whose orders cannot be read, and on
 * the others until its order is read, which then takes the place of this one. In the caller's transaction, which must bear running again as a whole and must not have locked another item before. Seen
 * again, it changes nothing; where the item is sold already, it is an oversell with its alarm.
 */
export async function recordScrapedSale(tx: Queries, sale: ScrapedSale): Promise<RecordedLine> {
  const { lines } = await recordOrderIn(
    tx,
    sale.user_id,
    {
      platform: sale.platform,
      seller_account_uid: sale.seller_account_uid,
      external_order_id: `listing-${sale.listing_id}`,
      source: 'scraped',
      ordered_at: sale.observed_at,
      modified_at: sale.observed_at,
      lines: [
        {
          external_line_id: sale.listing_id,
          listing_id: sale.listing_id,
          sku: null,
          quantity: 1,
          price_minor: sale.price_minor,
          currency: sale.currency,
          status: sale.status ?? 'paid',
        },
      ],
    },
    {
      by: sale.by ?? 'extension',
      seen_at: sale.observed_at,
      ...(sale.job_uid ? { note: `import ${sale.job_uid}` } : {}),
    },
  )
  return lines[0]!
}
