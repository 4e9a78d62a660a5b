// Made from queries.sql by `npm run queries`. Do not edit.
import { statement } from '#server/infra/db/statement.ts'
import type { PlatformSlug } from '#shared/platforms.ts'
import type { BatchResult } from '#shared/contract/extension.ts'
import type { ExtensionSlug } from '#shared/platforms.ts'

/** Completes a job. Every batch was decided on arrival, so nothing is pending. */
export const completeJob = statement<{ user_id: number; uid: string }, void>(
  'catalog/imports/from-extension/completeJob',
  ['user_id', 'uid'],
  `update import_job set
  discovery_done = true, status = 'completed', progress = 100, started_at = least(started_at, now()),
  completed_at = now(), touched_at = now()
where user_id = $1 and uid = $2 and status in ('pending', 'in_progress')`,
)

/** Returns the number of known listings of a shop: from this import, from earlier ones (the extension sends only changes),
 * and listed by us. Failed items that are no listings do not count. Also returns whether this import has already reported
 * missing listings. */
export const countKnown = statement<{ user_id: number; seller_account_uid: string; uid: string }, { known: number; is_reported: boolean }>(
  'catalog/imports/from-extension/countKnown',
  ['user_id', 'seller_account_uid', 'uid'],
  `with brought as (
  select item.external_listing_id, item.job_uid, item.found ->> 'field' as field
  from import_job job
  join import_item item on item.user_id = job.user_id and item.job_uid = job.uid
  where job.user_id = $1 and job.seller_account_uid = $2
)
select
  (
    select count(*)::integer
    from (
      select external_listing_id from brought where field is distinct from 'listings' and external_listing_id not like 'shop:%'
      union
      select listing_id from channel_listing where user_id = $1 and seller_account_uid = $2
    ) known
  ) as known,
  exists (
    select from brought where job_uid = $3 and external_listing_id >= 'shop:total' and external_listing_id < 'shop:totam'
  ) as is_reported`,
)

/** Deletes reports of listings as sold if an import that began later shows them on offer. */
export const deleteReports = statement<{ user_id: number; job_uid: string; listing_ids: readonly (string | null)[] }, void>(
  'catalog/imports/from-extension/deleteReports',
  ['user_id', 'job_uid', 'listing_ids'],
  `delete from sold_report report
using import_job job
where job.user_id = $1 and job.uid = $2 and job.source = 'extension'
  and job.status in ('pending', 'in_progress')
  and report.user_id = job.user_id and report.platform = job.platform and report.listing_id = any($3::text[])
  and report.seen_at < coalesce(job.read_since, job.created_at)`,
)

/** Returns the response to an earlier copy of a batch, if any. */
export const findBatch = statement<{ user_id: number; job_uid: string; batch_id: string }, { answer: BatchResult }>(
  'catalog/imports/from-extension/findBatch',
  ['user_id', 'job_uid', 'batch_id'],
  `select answer
from import_batch
where user_id = $1 and job_uid = $2 and batch_id = $3`,
)

/** Returns the items of these listings of a scraped platform. Searches all the user's shops, the named one first: a
 * listing made by form may be seen before its shop was ever imported. `news`: nobody has the item, or a buyer on another
 * platform has it. A sale that was taken back is no news until the page has changed. */
export const findListed = statement<{ user_id: number; platform: string; listing_ids: readonly (string | null)[]; username: string }, { listing_id: string; price_minor: number; currency: string; seller_account_uid: string; platform: ExtensionSlug; news: boolean }>(
  'catalog/imports/from-extension/findListed',
  ['user_id', 'platform', 'listing_ids', 'username'],
  `select distinct on (listing.listing_id) listing.listing_id, listing.price_minor, listing.currency,
  shop.uid as seller_account_uid, shop.platform,
  (item.state <> 'sold' or exists (
    select
    from order_line line
    join marketplace_order holder on holder.user_id = $1 and holder.uid = line.order_uid
    where line.user_id = $1 and line.item_uid = item.uid and line.state = 'sold'
      and holder.platform not in ('outside', shop.platform)
  )) and not (listing.state = 'sold' and exists (
    select from marketplace_order own
    join order_line line on line.user_id = $1 and line.order_uid = own.uid
    where own.user_id = $1 and own.platform = shop.platform and own.source = 'scraped'
      and own.external_order_id = 'listing-' || listing.listing_id and line.state = 'cancelled'
  )) as news
from seller_account shop
join channel_listing listing on listing.user_id = $1 and listing.seller_account_uid = shop.uid
join inventory_item item on item.user_id = $1 and item.uid = listing.item_uid
where shop.user_id = $1 and shop.platform = $2 and listing.listing_id = any($3::text[])
order by listing.listing_id, shop.external_id = lower($4) desc`,
)

/** Returns what imports last read of these listings of a scraped platform: of one that none has read, its shop, if that is
 * known. A price is 0 that is none, or no amount. */
export const findRead = statement<{ listing_ids: readonly (string | null)[]; platform: string; user_id: number; username: string }, { listing_id: string; seller_account_uid: string | null; title: string | null; sku: string | null; price_minor: number; currency: string }>(
  'catalog/imports/from-extension/findRead',
  ['listing_ids', 'platform', 'user_id', 'username'],
  `select distinct on (given.listing_id) given.listing_id as listing_id,
  coalesce(read.seller_account_uid, shop.uid) as seller_account_uid, read.listing_title as title,
  nullif(read.external_sku, '') as sku,
  case when read.found ->> 'price_minor' ~ '^\\d{1,15}$' then (read.found ->> 'price_minor')::bigint else 0 end
    as price_minor,
  coalesce(read.found ->> 'currency', 'USD') as currency
from unnest($1::text[]) as given (listing_id)
left join lateral (
  select job.seller_account_uid, item.*
  from import_item item
  join import_job job on job.user_id = item.user_id and job.uid = item.job_uid and job.platform = $2
  where item.user_id = $3 and item.external_listing_id = given.listing_id and item.found ? 'price_minor'
  order by item.uid desc
  limit 1
) read on true
left join seller_account shop on shop.user_id = $3 and shop.platform = $2
  and shop.external_id = lower($4)
order by given.listing_id`,
)

/** Returns the shop of an import that takes batches, and since when its pages were read. */
export const findReading = statement<{ user_id: number; job_uid: string }, { platform: PlatformSlug; seller_account_uid: string; read_since: string }>(
  'catalog/imports/from-extension/findReading',
  ['user_id', 'job_uid'],
  `select platform, seller_account_uid, coalesce(read_since, created_at) as read_since
from import_job
where user_id = $1 and uid = $2 and source = 'extension' and status in ('pending', 'in_progress')`,
)

/** Returns which of these listings on offer belong to a sold item, and whether the listing itself was the sale. An item
 * that only a sale mail holds counts, too, where the mail was about the listing itself.
 * Searches all the user's shops, the given one first. A listing that was the sale counts as relisted only if it was
 * read after the sale was known. Leaves out listings that are being taken down, and those that the seller has taken
 * down since they were read. */
export const findRelisted = statement<{ user_id: number; platform: string; listing_ids: readonly (string | null)[]; read_since: string | Date; seller_account_uid: string | null }, { listing_id: string; item_uid: string; price_minor: number; currency: string; seller_account_uid: string; platform: ExtensionSlug; is_seller: boolean }>(
  'catalog/imports/from-extension/findRelisted',
  ['user_id', 'platform', 'listing_ids', 'read_since', 'seller_account_uid'],
  `select distinct on (listing.listing_id) listing.listing_id, listing.item_uid, listing.price_minor, listing.currency,
  listing.seller_account_uid, shop.platform, holder.is_own as is_seller
from seller_account shop
join channel_listing listing on listing.user_id = shop.user_id and listing.seller_account_uid = shop.uid
join inventory_item item on item.user_id = listing.user_id and item.uid = listing.item_uid
  and item.state in ('sold', 'reserved')
join lateral (
  select ordered.platform = shop.platform and line.listing_id = listing.listing_id as is_own,
    greatest(line.recorded_at, line.modified_at) as known_at
  from order_line line
  join marketplace_order ordered on ordered.user_id = line.user_id and ordered.uid = line.order_uid
  where line.user_id = $1 and line.item_uid = item.uid
    and (line.state = 'sold' and item.state = 'sold' or line.state = 'held' and item.state = 'reserved')
) holder on item.state = 'sold' or holder.is_own
where shop.user_id = $1 and shop.platform = $2 and listing.listing_id = any($3::text[])
  and (not holder.is_own or holder.known_at < $4::timestamptz)
  and not exists (
    select from extension_task task
    where task.user_id = $1 and task.platform = shop.platform and task.listing_id = listing.listing_id
      and task.kind = 'delist'
      and (task.status = 'open' or task.status = 'completed' and task.finished_at >= $4::timestamptz)
  )
order by listing.listing_id, shop.uid = $5 desc`,
)

/** Returns which of these listings are live as far as is known and wait for the seller to take them down. Searches all the
 * user's shops. Leaves out listings that came on offer since the reading began. */
export const findSeenDown = statement<{ read_since: string | Date; user_id: number; platform: string; listing_ids: readonly (string | null)[] }, { listing_id: string; item_uid: string; seller_account_uid: string; platform: PlatformSlug; listing_url: string }>(
  'catalog/imports/from-extension/findSeenDown',
  ['read_since', 'user_id', 'platform', 'listing_ids'],
  `select listing.listing_id, listing.item_uid, listing.seller_account_uid, task.platform, listing.url as listing_url
from extension_task task
join channel_listing listing on listing.user_id = task.user_id and listing.platform = task.platform
  and listing.listing_id = task.listing_id and listing.item_uid = task.item_uid
  and listing.state in ('available', 'reserved') and listing.created_at < $1::timestamptz
where task.user_id = $2 and task.platform = $3 and task.kind = 'delist' and task.status = 'open'
  and task.listing_id = any($4::text[])
order by listing.listing_id`,
)

/** Returns which of these listings of an import have an item that nobody has yet, or that a buyer on another platform has.
 * Searches all the user's shops, the import's own first. Leaves out sales that were taken back, until the page has
 * changed. */
export const findSold = statement<{ user_id: number; job_uid: string; listing_ids: readonly (string | null)[] }, { listing_id: string; price_minor: number; currency: string; seller_account_uid: string; platform: PlatformSlug }>(
  'catalog/imports/from-extension/findSold',
  ['user_id', 'job_uid', 'listing_ids'],
  `select distinct on (listing.listing_id) listing.listing_id, listing.price_minor, listing.currency,
  listing.seller_account_uid, job.platform
from import_job job
join seller_account shop on shop.user_id = $1 and shop.platform = job.platform
join channel_listing listing on listing.user_id = $1 and listing.seller_account_uid = shop.uid
join inventory_item item on item.user_id = $1 and item.uid = listing.item_uid
where job.user_id = $1 and job.uid = $2 and job.source = 'extension'
  and job.status in ('pending', 'in_progress') and listing.listing_id = any($3::text[])
  and (
    item.state <> 'sold' or exists (
      select from order_line line
      join marketplace_order holder on holder.user_id = $1 and holder.uid = line.order_uid
      where line.user_id = $1 and line.item_uid = item.uid and line.state = 'sold'
        and holder.platform not in ('outside', job.platform)
    )
  )
  and not (listing.state = 'sold' and exists (
    select from marketplace_order own
    join order_line line on line.user_id = $1 and line.order_uid = own.uid
    where own.user_id = $1 and own.platform = shop.platform and own.source = 'scraped'
      and own.external_order_id = 'listing-' || listing.listing_id and line.state = 'cancelled'
  ))
order by listing.listing_id, shop.uid = job.seller_account_uid desc`,
)

/** Stores the response to a batch. */
export const insertBatch = statement<{ user_id: number; job_uid: string; batch_id: string; answer: unknown }, void>(
  'catalog/imports/from-extension/insertBatch',
  ['user_id', 'job_uid', 'batch_id', 'answer'],
  `insert into import_batch (user_id, job_uid, batch_id, answer)
values ($1, $2, $3, $4)`,
)

/** Returns an import by the extension and locks it, so that its batches are taken one after the other. */
export const lockJob = statement<{ user_id: number; job_uid: string }, { user_id: number; uid: string; seller_account_uid: string; platform: PlatformSlug; source: 'pull' | 'extension'; status: 'pending' | 'in_progress' | 'completed' | 'failed'; found_so_far: number; expected_total: number | null }>(
  'catalog/imports/from-extension/lockJob',
  ['user_id', 'job_uid'],
  `select user_id, uid, seller_account_uid, platform, source, status, found_so_far, expected_total
from import_job
where user_id = $1 and uid = $2
for no key update`,
)

/** Returns those of these listings that were seen as sold and whose sale has no item yet. `is_listed`: the listing has an
 * item by now, and is sold. */
export const findUnclaimed = statement<{ user_id: number; platform: string; listing_ids: readonly (string | null)[] }, { listing_id: string; price_minor: number; currency: string; platform: ExtensionSlug; seller_account_uid: string | null; is_listed: boolean }>(
  'catalog/imports/from-extension/findUnclaimed',
  ['user_id', 'platform', 'listing_ids'],
  `select line.listing_id, coalesce(listed.price_minor, line.price_minor) as price_minor,
  coalesce(listed.currency, line.currency) as currency, ordered.platform,
  coalesce(listed.seller_account_uid, ordered.seller_account_uid) as seller_account_uid,
  listed.seller_account_uid is not null as is_listed
from marketplace_order ordered
join order_line line on line.user_id = ordered.user_id and line.order_uid = ordered.uid and line.state = 'unmatched'
left join lateral (
  select listing.seller_account_uid, listing.price_minor, listing.currency
  from seller_account shop
  join channel_listing listing on listing.user_id = shop.user_id and listing.seller_account_uid = shop.uid
    and listing.listing_id = line.listing_id and listing.state = 'sold'
  where shop.user_id = $1 and shop.platform = $2
  limit 1
) listed on true
where ordered.user_id = $1 and ordered.platform = $2 and ordered.source = 'scraped'
  and ordered.external_order_id in (select 'listing-' || unnest($3::text[]))`,
)

/** Records the contents of a batch; the first batch begins the import. */
export const recordBatch = statement<{ stored: number; bytes: number | string; expected_total: number | null; left_out: number; user_id: number; uid: string }, void>(
  'catalog/imports/from-extension/recordBatch',
  ['stored', 'bytes', 'expected_total', 'left_out', 'user_id', 'uid'],
  `update import_job set
  status = 'in_progress', started_at = least(started_at, now()), found_so_far = found_so_far + $1,
  found_bytes = found_bytes + $2, touched_at = now(),
  expected_total = coalesce($3, expected_total), left_out = greatest(left_out, $4)
where user_id = $5 and uid = $6`,
)

/** Records that a listing is on offer, even if an order had reserved it. */
export const showLive = statement<{ user_id: number; seller_account_uid: string; listing_id: string }, { url: string }>(
  'catalog/imports/from-extension/showLive',
  ['user_id', 'seller_account_uid', 'listing_id'],
  `update channel_listing set state = 'available', observed_at = now(), updated_at = now()
where user_id = $1 and seller_account_uid = $2 and listing_id = $3
  and state <> 'available'
returning url`,
)

/** Stores listings without an item that were seen as sold. */
export const storeReports = statement<{ user_id: number; platform: string; listing_ids: readonly (string | null)[] }, void>(
  'catalog/imports/from-extension/storeReports',
  ['user_id', 'platform', 'listing_ids'],
  `insert into sold_report (user_id, platform, listing_id)
select $1, $2, unnest($3::text[])
on conflict (user_id, platform, listing_id) do update set seen_at = excluded.seen_at`,
)
