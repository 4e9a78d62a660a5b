-- import type { BatchResult } from '#shared/contract/extension.ts'
-- import type { ExtensionSlug } from '#shared/platforms.ts'

-- name: completeJob
-- Completes a job. Every batch was decided on arrival, so nothing is pending.
update import_job set
  discovery_done = true, status = 'completed', progress = 100, started_at = least(started_at, now()),
  completed_at = now(), touched_at = now()
where user_id = :user_id and uid = :uid and status in ('pending', 'in_progress')

-- name: countKnown
-- Returns the number of known listings of a shop: from this import, from earlier ones (the extension sends only changes),
-- and listed by us. Failed items that are no listings do not count. Also returns whether this import has already reported
-- missing listings.
with brought as (
  select item.external_listing_id, item.job_uid, item.found ->> 'field' as field
  from import_job job
  join import_item item on item.user_id = job.user_id and item.job_uid = job.uid
  where job.user_id = :user_id and job.seller_account_uid = :seller_account_uid
)
select
  (
    select count(*)::integer
    from (
      select external_listing_id from brought where field is distinct from 'listings' and external_listing_id not like 'shop:%'
      union
      select listing_id from channel_listing where user_id = :user_id and seller_account_uid = :seller_account_uid
    ) known
  ) as "known!",
  exists (
    select from brought where job_uid = :uid and external_listing_id >= 'shop:total' and external_listing_id < 'shop:totam'
  ) as "is_reported!"

-- name: deleteReports
-- Deletes reports of listings as sold if an import that began later shows them on offer.
delete from sold_report report
using import_job job
where job.user_id = :user_id and job.uid = :job_uid and job.source = 'extension'
  and job.status in ('pending', 'in_progress')
  and report.user_id = job.user_id and report.platform = job.platform and report.listing_id = any(:listing_ids::text[])
  and report.seen_at < coalesce(job.read_since, job.created_at)

-- name: findBatch
-- type answer: BatchResult
-- Returns the response to an earlier copy of a batch, if any.
select answer
from import_batch
where user_id = :user_id and job_uid = :job_uid and batch_id = :batch_id

-- name: findListed
-- type platform: ExtensionSlug
-- Returns the items of these listings of a scraped platform. Searches all the user's shops, the named one first: a
-- listing made by form may be seen before its shop was ever imported. `news`: nobody has the item, or a buyer on another
-- platform has it. A sale that was taken back is no news until the page has changed.
select distinct on (listing.listing_id) listing.listing_id, listing.price_minor, listing.currency,
  shop.uid as seller_account_uid, shop.platform,
  (item.state <> 'sold' or exists (
    select
    from order_line line
    join marketplace_order holder on holder.user_id = :user_id and holder.uid = line.order_uid
    where line.user_id = :user_id and line.item_uid = item.uid and line.state = 'sold'
      and holder.platform not in ('outside', shop.platform)
  )) and not (listing.state = 'sold' and exists (
    select from marketplace_order own
    join order_line line on line.user_id = :user_id and line.order_uid = own.uid
    where own.user_id = :user_id and own.platform = shop.platform and own.source = 'scraped'
      and own.external_order_id = 'listing-' || listing.listing_id and line.state = 'cancelled'
  )) as "news!"
from seller_account shop
join channel_listing listing on listing.user_id = :user_id and listing.seller_account_uid = shop.uid
join inventory_item item on item.user_id = :user_id and item.uid = listing.item_uid
where shop.user_id = :user_id and shop.platform = :platform and listing.listing_id = any(:listing_ids::text[])
order by listing.listing_id, shop.external_id = lower(:username) desc

-- name: findRead
-- Returns what imports last read of these listings of a scraped platform: of one that none has read, its shop, if that is
-- known. A price is 0 that is none, or no amount.
select distinct on (given.listing_id) given.listing_id as "listing_id!",
  coalesce(read.seller_account_uid, shop.uid) as seller_account_uid, read.listing_title as "title?",
  nullif(read.external_sku, '') as sku,
  case when read.found ->> 'price_minor' ~ '^\d{1,15}$' then (read.found ->> 'price_minor')::bigint else 0 end
    as "price_minor!",
  coalesce(read.found ->> 'currency', 'USD') as "currency!"
from unnest(:listing_ids::text[]) as given (listing_id)
left join lateral (
  select job.seller_account_uid, item.*
  from import_item item
  join import_job job on job.user_id = item.user_id and job.uid = item.job_uid and job.platform = :platform
  where item.user_id = :user_id and item.external_listing_id = given.listing_id and item.found ? 'price_minor'
  order by item.uid desc
  limit 1
) read on true
left join seller_account shop on shop.user_id = :user_id and shop.platform = :platform
  and shop.external_id = lower(:username)
order by given.listing_id

-- name: findReading
-- Returns the shop of an import that takes batches, and since when its pages were read.
select platform, seller_account_uid, coalesce(read_since, created_at) as "read_since!"
from import_job
where user_id = :user_id and uid = :job_uid and source = 'extension' and status in ('pending', 'in_progress')

-- name: findRelisted
-- type platform: ExtensionSlug
-- Returns which of these listings on offer belong to a sold item, and whether the listing itself was the sale. An item
-- that only a sale mail holds counts, too, where the mail was about the listing itself.
-- Searches all the user's shops, the given one first. A listing that was the sale counts as relisted only if it was
-- read after the sale was known. Leaves out listings that are being taken down, and those that the seller has taken
-- down since they were read.
select distinct on (listing.listing_id) listing.listing_id, listing.item_uid, listing.price_minor, listing.currency,
  listing.seller_account_uid, shop.platform, holder.is_own as "is_seller!"
from seller_account shop
join channel_listing listing on listing.user_id = shop.user_id and listing.seller_account_uid = shop.uid
join inventory_item item on item.user_id = listing.user_id and item.uid = listing.item_uid
  and item.state in ('sold', 'reserved')
join lateral (
  select ordered.platform = shop.platform and line.listing_id = listing.listing_id as is_own,
    greatest(line.recorded_at, line.modified_at) as known_at
  from order_line line
  join marketplace_order ordered on ordered.user_id = line.user_id and ordered.uid = line.order_uid
  where line.user_id = :user_id and line.item_uid = item.uid
    and (line.state = 'sold' and item.state = 'sold' or line.state = 'held' and item.state = 'reserved')
) holder on item.state = 'sold' or holder.is_own
where shop.user_id = :user_id and shop.platform = :platform and listing.listing_id = any(:listing_ids::text[])
  and (not holder.is_own or holder.known_at < :read_since::timestamptz)
  and not exists (
    select from extension_task task
    where task.user_id = :user_id and task.platform = shop.platform and task.listing_id = listing.listing_id
      and task.kind = 'delist'
      and (task.status = 'open' or task.status = 'completed' and task.finished_at >= :read_since::timestamptz)
  )
order by listing.listing_id, shop.uid = :seller_account_uid? desc

-- name: findSeenDown
-- Returns which of these listings are live as far as is known and wait for the seller to take them down. Searches all the
-- user's shops. Leaves out listings that came on offer since the reading began.
select listing.listing_id, listing.item_uid, listing.seller_account_uid, task.platform, listing.url as listing_url
from extension_task task
join channel_listing listing on listing.user_id = task.user_id and listing.platform = task.platform
  and listing.listing_id = task.listing_id and listing.item_uid = task.item_uid
  and listing.state in ('available', 'reserved') and listing.created_at < :read_since::timestamptz
where task.user_id = :user_id and task.platform = :platform and task.kind = 'delist' and task.status = 'open'
  and task.listing_id = any(:listing_ids::text[])
order by listing.listing_id

-- name: findSold
-- Returns which of these listings of an import have an item that nobody has yet, or that a buyer on another platform has.
-- Searches all the user's shops, the import's own first. Leaves out sales that were taken back, until the page has
-- changed.
select distinct on (listing.listing_id) listing.listing_id, listing.price_minor, listing.currency,
  listing.seller_account_uid, job.platform
from import_job job
join seller_account shop on shop.user_id = :user_id and shop.platform = job.platform
join channel_listing listing on listing.user_id = :user_id and listing.seller_account_uid = shop.uid
join inventory_item item on item.user_id = :user_id and item.uid = listing.item_uid
where job.user_id = :user_id and job.uid = :job_uid and job.source = 'extension'
  and job.status in ('pending', 'in_progress') and listing.listing_id = any(:listing_ids::text[])
  and (
    item.state <> 'sold' or exists (
      select from order_line line
      join marketplace_order holder on holder.user_id = :user_id and holder.uid = line.order_uid
      where line.user_id = :user_id and line.item_uid = item.uid and line.state = 'sold'
        and holder.platform not in ('outside', job.platform)
    )
  )
  and not (listing.state = 'sold' and exists (
    select from marketplace_order own
    join order_line line on line.user_id = :user_id and line.order_uid = own.uid
    where own.user_id = :user_id and own.platform = shop.platform and own.source = 'scraped'
      and own.external_order_id = 'listing-' || listing.listing_id and line.state = 'cancelled'
  ))
order by listing.listing_id, shop.uid = job.seller_account_uid desc

-- name: insertBatch
-- Stores the response to a batch.
insert into import_batch (user_id, job_uid, batch_id, answer)
values (:user_id, :job_uid, :batch_id, :answer)

-- name: lockJob
-- Returns an import by the extension and locks it, so that its batches are taken one after the other.
select user_id, uid, seller_account_uid, platform, source, status, found_so_far, expected_total
from import_job
where user_id = :user_id and uid = :job_uid
for no key update

-- name: findUnclaimed
-- type platform: ExtensionSlug
-- Returns those of these listings that were seen as sold and whose sale has no item yet. `is_listed`: the listing has an
-- item by now, and is sold.
select line.listing_id, coalesce(listed.price_minor, line.price_minor) as "price_minor!",
  coalesce(listed.currency, line.currency) as "currency!", ordered.platform,
  coalesce(listed.seller_account_uid, ordered.seller_account_uid) as seller_account_uid,
  listed.seller_account_uid is not null as "is_listed!"
from marketplace_order ordered
join order_line line on line.user_id = ordered.user_id and line.order_uid = ordered.uid and line.state = 'unmatched'
left join lateral (
  select listing.seller_account_uid, listing.price_minor, listing.currency
  from seller_account shop
  join channel_listing listing on listing.user_id = shop.user_id and listing.seller_account_uid = shop.uid
    and listing.listing_id = line.listing_id and listing.state = 'sold'
  where shop.user_id = :user_id and shop.platform = :platform
  limit 1
) listed on true
where ordered.user_id = :user_id and ordered.platform = :platform and ordered.source = 'scraped'
  and ordered.external_order_id in (select 'listing-' || unnest(:listing_ids::text[]))

-- name: recordBatch
-- Records the contents of a batch; the first batch begins the import.
update import_job set
  status = 'in_progress', started_at = least(started_at, now()), found_so_far = found_so_far + :stored,
  found_bytes = found_bytes + :bytes, touched_at = now(),
  expected_total = coalesce(:expected_total?, expected_total), left_out = greatest(left_out, :left_out)
where user_id = :user_id and uid = :uid

-- name: showLive
-- Records that a listing is on offer, even if an order had reserved it.
update channel_listing set state = 'available', observed_at = now(), updated_at = now()
where user_id = :user_id and seller_account_uid = :seller_account_uid and listing_id = :listing_id
  and state <> 'available'
returning url

-- name: storeReports
-- Stores listings without an item that were seen as sold.
insert into sold_report (user_id, platform, listing_id)
select :user_id, :platform, unnest(:listing_ids::text[])
on conflict (user_id, platform, listing_id) do update set seen_at = excluded.seen_at
