import { withShopAccess } from '#server/connections/with-shop-access.ts'
import { sql } from '#server/db/index.ts'
import { HttpProblem } from '#server/http/errors.ts'
import { insertDelistIntents } from '#server/listings/intents.ts'
import { PlatformError } from '#server/platforms/errors.ts'
import { inLane } from '#server/platforms/quota/index.ts'
import type { Services } from '#server/services.ts'
import { type OAuthSlug, platformOf } from '#shared/platforms.ts'

const finishCheck = sql(import.meta.url, './sql/finish-listing-check.sql')
const markStillLive = sql(import.meta.url, './sql/mark-still-live.sql')
const lockItems = sql(import.meta.url, '../sales/sql/lock-items.sql')

/** A listing that sold an item (claim-listing-checks.sql). */
export interface ListingCheck {
  user_id: number
  order_uid: string
  external_line_id: string
  item_uid: string
  listing_id: string
  platform: OAuthSlug
  seller_account_uid: string
}

/**
 * The platform ends a listing that is sold out by itself, but not one that was put up with more than the one thing there
 * is. That one is taken down like any other (faults I3).
 */
export async function checkSoldListing(services: Services, check: ListingCheck, signal: AbortSignal): Promise<void> {
  try {
    const state = await inLane('orders', () =>
      withShopAccess(
        services,
        check,
        async (access, { listings }) => (listings ? listings.readState(access, check.listing_id) : null),
        signal,
      ),
    )
    await services.db.tx('check-sold-listing', async (tx) => {
      await tx.none(finishCheck, check)
      if (state !== 'live') return
      await tx.any(lockItems, { user_id: check.user_id, uids: [check.item_uid] })
      if (!(await tx.oneOrNone(markStillLive, check))) return
      await insertDelistIntents(tx, {
        user_id: check.user_id,
        item_uid: check.item_uid,
        except: null,
        cause: 'compensation',
        cause_ref: check.order_uid,
        reason: `Sold on ${platformOf(check.platform).name}, and still on offer there`,
        platforms: [check.platform],
      })
    })
  } catch (error) {
    if (signal.aborted) throw error
    if (error instanceof HttpProblem && error.code === 'not_found') return services.db.none(finishCheck, check).then()
    if (!(error instanceof PlatformError)) throw error
    services.log.warn({ err: error, listing_id: check.listing_id }, 'a sold listing could not be looked at')
  }
}
