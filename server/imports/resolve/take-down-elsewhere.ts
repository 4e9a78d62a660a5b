import type { Queries } from '#server/db/index.ts'
import { insertDelistIntents } from '#server/listings/intents.ts'
import type { PlatformSlug } from '#shared/platforms.ts'
import { platformName } from '../decide.ts'

/** A sold item comes down everywhere but where it was sold (faults I3), in the transaction that says so. */
export async function takeDownElsewhere(
  tx: Queries,
  item: { user_id: number; item_uid: string; job_uid: string; platform: PlatformSlug; sold: string | null },
): Promise<void> {
  await insertDelistIntents(tx, {
    user_id: item.user_id,
    item_uid: item.item_uid,
    except: item.sold === null ? null : { platform: item.platform, listing_id: item.sold },
    cause: 'reconcile',
    cause_ref: item.job_uid,
    reason: item.sold === null ? 'The item is sold' : `Sold on ${platformName(item.platform)}`,
  })
}
