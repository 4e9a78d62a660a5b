// Made from queries.sql by `npm run queries`. Do not edit.
import { statement } from '#server/infra/db/statement.ts'

/** Adds details that an item lacks. The seller's own text stays. */
export const addDetails = statement<{ attributes: unknown; user_id: number; item_uid: string }, { version: number }>(
  'catalog/imports/discovery/addDetails',
  ['attributes', 'user_id', 'item_uid'],
  `update inventory_item
set attributes = $1::jsonb || attributes, version = version + 1, updated_at = now()
where user_id = $2 and uid = $3 and not attributes @> ($1::jsonb || attributes)
returning version`,
)

/** Claims listings whose details are still to be read, a few per shop. A failed reading is due again in an hour. */
export const claimUnreadDetails = statement<{ platforms: readonly (string | null)[]; per_shop: number | string }, { user_id: number; seller_account_uid: string; listing_id: string }>(
  'catalog/imports/discovery/claimUnreadDetails',
  ['platforms', 'per_shop'],
  `update channel_listing listing set details_due_at = now() + interval '1 hour'
from (
  select user_id, seller_account_uid, listing_id,
    row_number() over (partition by user_id, seller_account_uid order by details_due_at) as place
  from channel_listing
  where details_due_at <= now() and platform = any($1::text[])
) due
where due.place <= $2 and listing.user_id = due.user_id and listing.seller_account_uid = due.seller_account_uid
  and listing.listing_id = due.listing_id and listing.details_due_at <= now()
returning listing.user_id, listing.seller_account_uid, listing.listing_id`,
)

/** Returns those of these listings whose item another buyer has, while no buyer of the listing itself is known. */
export const findOversold = statement<{ user_id: number; seller_account_uid: string; listing_ids: readonly (string | null)[] }, { listing_id: string; price_minor: number; currency: string }>(
  'catalog/imports/discovery/findOversold',
  ['user_id', 'seller_account_uid', 'listing_ids'],
  `select listing.listing_id, listing.price_minor, listing.currency
from channel_listing listing
join inventory_item item on item.user_id = listing.user_id and item.uid = listing.item_uid and item.state = 'sold'
where listing.user_id = $1 and listing.seller_account_uid = $2
  and listing.listing_id = any($3::text[])
  and exists (
    select from order_line claim
    join marketplace_order taker on taker.user_id = claim.user_id and taker.uid = claim.order_uid
      and taker.platform <> 'outside'
    where claim.user_id = $1 and claim.item_uid = item.uid and claim.state in ('held', 'sold')
      and claim.listing_id <> listing.listing_id
  )
  and not exists (
    select from order_line known
    join marketplace_order known_order on known_order.user_id = known.user_id and known_order.uid = known.order_uid
    where known.user_id = $1 and known.item_uid = item.uid and known.listing_id = listing.listing_id
      and known_order.seller_account_uid = listing.seller_account_uid
  )
order by listing.listing_id`,
)

/** Records, in the lease holder's transaction, that a page was stored, how many of its items were decided, and where
 * discovery continues. Progress is measured against the known total and never decreases. */
export const recordPage = statement<{ cursor: string | null; discovery_done: boolean; total: number | null; stored: number; bytes: number | string; decided: number; careful_after: number; user_id: number; uid: string; lease_epoch: number | string }, void>(
  'catalog/imports/discovery/recordPage',
  ['cursor', 'discovery_done', 'total', 'stored', 'bytes', 'decided', 'careful_after', 'user_id', 'uid', 'lease_epoch'],
  `update import_job set
  cursor = $1,
  discovery_done = $2,
  expected_total = coalesce($3, expected_total),
  found_so_far = found_so_far + $4,
  found_bytes = found_bytes + $5,
  decided_so_far = decided_so_far + $6,
  progress = case
    when not $2 and coalesce($3, expected_total) is null then progress
    else greatest(
      progress,
      least(
        99.9,
        100.0 * (decided_so_far + $6) / greatest($3, expected_total, found_so_far + $4, 1)
      )
    )
  end,
  crashes = case when crashes > $7 then $7 + 1 else 0 end,
  failures = 0,
  touched_at = now()
where user_id = $8 and uid = $9 and lease_epoch = $10`,
)

/** Records that a listing's details were read or are unavailable. `again`: they are due again in a day. */
export const settleDetails = statement<{ again: boolean; user_id: number; seller_account_uid: string; listing_id: string }, { item_uid: string }>(
  'catalog/imports/discovery/settleDetails',
  ['again', 'user_id', 'seller_account_uid', 'listing_id'],
  `update channel_listing set details_due_at = due.at
from (select case when $1 then now() + interval '1 day' end as at) due
where user_id = $2 and seller_account_uid = $3 and listing_id = $4
returning item_uid`,
)

/** Stores the listings of a page or batch, each once per job. Returns the number of new ones. */
export const storeFound = statement<{ user_id: number; job_uid: string; observed_at: string | Date; rows: unknown }, { stored: number }>(
  'catalog/imports/discovery/storeFound',
  ['user_id', 'job_uid', 'observed_at', 'rows'],
  `with stored as (
  insert into import_item (
    user_id, job_uid, uid, external_listing_id, found, observed_at, external_sku, listing_title, listing_price
  )
  select $1, $2, row.uid, row.external_listing_id, row.found, $3, row.external_sku,
    row.listing_title, row.listing_price
  from json_to_recordset($4::json) as row (
    uid text, external_listing_id text, found jsonb, external_sku text, listing_title text, listing_price text
  )
  on conflict on constraint import_item_listing_key do nothing
  returning 1
)
select count(*)::integer as stored from stored`,
)
