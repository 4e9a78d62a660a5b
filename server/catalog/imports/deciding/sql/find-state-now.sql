-- Returns the newest known state of a listing that was read for an import item: from an order or a reported sale that
-- found no item, or found one by SKU alone, else from its last reading. No row if nothing is newer. An order from long
-- before the reading bought what was for sale there before (sales/sql/match-lines.sql), and of several pieces one
-- order leaves some.
with shop as materialized (
  select uid from seller_account
  where user_id = ${user_id} and (uid = ${seller_account_uid} or ${any_shop} and platform = ${platform})
)
select seen.state
from (
  select 0 as rank, case line.status when 'paid' then 'sold' else 'reserved' end as state, ordered.ordered_at as at
  from order_line line
  join marketplace_order ordered on ordered.user_id = line.user_id and ordered.uid = line.order_uid
  where line.user_id = ${user_id} and line.listing_id = ${listing_id}
    and (line.state = 'unmatched' or line.matched_by = 'sku' and line.state in ('held', 'sold', 'oversell'))
    and ordered.platform = ${platform} and ordered.seller_account_uid in (select uid from shop)
    and ordered.ordered_at >= ${observed_at}::timestamptz - interval '1 hour' and ${quantity} <= 1
  union all
  select 0, 'sold', report.seen_at
  from sold_report report
  where report.user_id = ${user_id} and report.platform = ${platform} and report.listing_id = ${listing_id}
  union all
  select 1, case when later.found ->> 'quantity' = '0' and later.found ->> 'state' <> 'sold' then 'removed'
    else later.found ->> 'state' end, later.observed_at
  from import_job job
  join import_item later on later.user_id = job.user_id and later.job_uid = job.uid
    and later.external_listing_id = ${listing_id}
  where job.user_id = ${user_id} and job.seller_account_uid in (select uid from shop)
    and later.observed_at > ${observed_at} and later.found ? 'state'
  union all
  -- A changed price or shop does not contradict an observed sale.
  select 1, known.state, greatest(known.observed_at, known.updated_at)
  from channel_listing known
  where known.user_id = ${user_id} and known.seller_account_uid in (select uid from shop)
    and known.listing_id = ${listing_id}
    and (known.observed_at > ${observed_at} or ${state} <> 'sold' and known.updated_at > ${observed_at})
) seen
order by seen.rank, seen.at desc
limit 1
