-- name: addDetails
-- Adds details that an item lacks. The seller's own text stays.
update inventory_item
set attributes = :attributes::jsonb || attributes, version = version + 1, updated_at = now()
where user_id = :user_id and uid = :item_uid and not attributes @> (:attributes::jsonb || attributes)
returning version

-- name: claimUnreadDetails
-- Claims listings whose details are still to be read, a few per shop. A failed reading is due again in an hour.
update channel_listing listing set details_due_at = now() + interval '1 hour'
from (
  select user_id, seller_account_uid, listing_id,
    row_number() over (partition by user_id, seller_account_uid order by details_due_at) as place
  from channel_listing
  where details_due_at <= now() and platform = any(:platforms::text[])
) due
where due.place <= :per_shop and listing.user_id = due.user_id and listing.seller_account_uid = due.seller_account_uid
  and listing.listing_id = due.listing_id and listing.details_due_at <= now()
returning listing.user_id, listing.seller_account_uid, listing.listing_id

-- name: findOversold
-- Returns those of these listings whose item another buyer has, while no buyer of the listing itself is known.
select listing.listing_id, listing.price_minor, listing.currency
from channel_listing listing
join inventory_item item on item.user_id = listing.user_id and item.uid = listing.item_uid and item.state = 'sold'
where listing.user_id = :user_id and listing.seller_account_uid = :seller_account_uid
  and listing.listing_id = any(:listing_ids::text[])
  -- A sale that the seller reported may be this very sale.
  and exists (
    select from order_line claim
    join marketplace_order taker on taker.user_id = claim.user_id and taker.uid = claim.order_uid
      and taker.platform <> 'outside'
    where claim.user_id = :user_id and claim.item_uid = item.uid and claim.state in ('held', 'sold')
      and claim.listing_id <> listing.listing_id
  )
  and not exists (
    select from order_line known
    join marketplace_order known_order on known_order.user_id = known.user_id and known_order.uid = known.order_uid
    where known.user_id = :user_id and known.item_uid = item.uid and known.listing_id = listing.listing_id
      and known_order.seller_account_uid = listing.seller_account_uid
  )
order by listing.listing_id

-- name: recordPage
-- Records, in the lease holder's transaction, that a page was stored, how many of its items were decided, and where
-- discovery continues. Progress is measured against the known total and never decreases.
update import_job set
  cursor = :cursor?,
  discovery_done = :discovery_done,
  expected_total = coalesce(:total?, expected_total),
  found_so_far = found_so_far + :stored,
  found_bytes = found_bytes + :bytes,
  decided_so_far = decided_so_far + :decided,
  progress = case
    when not :discovery_done and coalesce(:total, expected_total) is null then progress
    else greatest(
      progress,
      least(
        99.9,
        100.0 * (decided_so_far + :decided) / greatest(:total, expected_total, found_so_far + :stored, 1)
      )
    )
  end,
  crashes = case when crashes > :careful_after then :careful_after + 1 else 0 end,
  failures = 0,
  touched_at = now()
where user_id = :user_id and uid = :uid and lease_epoch = :lease_epoch

-- name: settleDetails
-- Records that a listing's details were read or are unavailable. `again`: they are due again in a day.
update channel_listing set details_due_at = due.at
from (select case when :again then now() + interval '1 day' end as at) due
where user_id = :user_id and seller_account_uid = :seller_account_uid and listing_id = :listing_id
returning item_uid

-- name: storeFound
-- Stores the listings of a page or batch, each once per job. Returns the number of new ones.
with stored as (
  insert into import_item (
    user_id, job_uid, uid, external_listing_id, found, observed_at, external_sku, listing_title, listing_price
  )
  select :user_id, :job_uid, row.uid, row.external_listing_id, row.found, :observed_at, row.external_sku,
    row.listing_title, row.listing_price
  from json_to_recordset(:rows::json) as row (
    uid text, external_listing_id text, found jsonb, external_sku text, listing_title text, listing_price text
  )
  on conflict on constraint import_item_listing_key do nothing
  returning 1
)
select count(*)::integer as "stored!" from stored
