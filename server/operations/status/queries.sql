-- name: readChecks
-- Returns for each platform how long ago the orders of its connected shops were read.
select sync.platform, count(*)::integer as "shops!",
  extract(epoch from now() - max(sync.last_success_at))::float as newest,
  extract(epoch from now() - min(coalesce(sync.last_success_at, sync.created_at)))::float as oldest,
  (count(*) filter (
    where coalesce(sync.last_success_at, sync.created_at)
      < now() - (sync.interval_seconds + :alert_after_seconds) * interval '1 second'
  ))::integer as "overdue!",
  (count(*) filter (where sync.interval_seconds <= 60))::integer as "covered!",
  max(sync.interval_seconds) as "slowest!"
from order_sync sync
join seller_account account on account.user_id = sync.user_id and account.uid = sync.seller_account_uid
where account.status = 'connected'
group by sync.platform

-- name: readDelists
-- type accepted: (number | null)[]
-- type confirmed_within: (number | null)[]
-- type sold_within: (number | null)[]
-- Returns for each platform the take-downs after sales of the window, and their duration. Cancelled ones do not count.
with ordered as (
  select user_id, cause_ref, platform, seen_at, accepted_at, confirmed_at, state
  from listing_operation
  where kind = 'delist' and cause in ('sale', 'mark_sold') and created_at > :from and state <> 'cancelled'
  union all
  select user_id, cause_ref, platform, created_at, finished_at, finished_at,
    case status when 'completed' then 'done' else 'open' end
  from extension_task
  where kind = 'delist' and cause in ('sale', 'mark_sold') and created_at > :from and status <> 'dismissed'
),
timed as (
  select ordered.platform, confirmed_at is not null as is_confirmed,
    -- From the buyer's order. One from before the shop was connected says nothing of how fast Hapax is.
    extract(epoch from confirmed_at - sold.ordered_at) * 1000 as sold_ms,
    coalesce(confirmed_at, now()) - seen_at > interval '5 minutes' as is_late,
    extract(epoch from accepted_at - seen_at) * 1000 as accepted_ms,
    extract(epoch from confirmed_at - seen_at) * 1000 as confirmed_ms
  from ordered
  left join lateral (
    select marketplace_order.ordered_at
    from marketplace_order
    left join seller_account shop on shop.user_id = marketplace_order.user_id
      and shop.uid = marketplace_order.seller_account_uid
    where marketplace_order.user_id = ordered.user_id and marketplace_order.uid = ordered.cause_ref
      and marketplace_order.ordered_at >= coalesce(shop.connected_at, marketplace_order.ordered_at)
  ) sold on true
)
select platform as "platform!",
  count(*)::integer as "ordered!",
  (count(*) filter (where is_confirmed))::integer as "confirmed!",
  (count(*) filter (where is_late and not is_confirmed))::integer as "overdue!",
  (count(*) filter (where is_confirmed and not is_late))::float
    / nullif(count(*) filter (where is_confirmed or is_late), 0) as success_rate,
  percentile_cont(array[0.5, 0.95, 0.99]) within group (order by accepted_ms) as accepted,
  percentile_cont(array[0.5, 0.95, 0.99]) within group (order by confirmed_ms) as confirmed_within,
  count(sold_ms)::integer as "sold!",
  percentile_cont(array[0.5, 0.95]) within group (order by sold_ms) as sold_within
from timed
group by platform

-- name: readDoubleSales
-- Counts the sales of the window, the items among them that were sold twice, and those of them that could have been
-- prevented: the second buyer ordered after Hapax had recorded the first. Where a page showed the second sale, nobody knows when its
-- buyer ordered, and it counts as preventable.
select (count(*) filter (where line.state in ('sold', 'held')))::integer as "sales!",
  (count(*) filter (where alert.uid is not null))::integer as "double_sales!",
  (count(*) filter (where alert.uid is not null and ordered.ordered_at > first.recorded_at))::integer as "preventable!"
from order_line line
join marketplace_order ordered on ordered.user_id = line.user_id and ordered.uid = line.order_uid
left join alert on alert.user_id = line.user_id and alert.kind = 'oversell'
  and alert.reference = line.order_uid || '/' || line.external_line_id
left join lateral (
  select min(other.recorded_at) as recorded_at
  from order_line other
  where alert.uid is not null and other.user_id = line.user_id and other.item_uid = line.item_uid
    and (other.order_uid, other.external_line_id) <> (line.order_uid, line.external_line_id)
) first on true
where line.recorded_at > :from and ordered.platform <> 'outside'

-- name: readGauges
-- Counts the waiting work.
select 'alarms' as "name!", kind as "label!", count(*)::integer as "value!" from alert where state = 'open' group by kind
union all
select 'webhook_deliveries', state, count(*)::integer from webhook_delivery where state <> 'delivered' group by state
union all
select 'listing_operations', kind, count(*)::integer from listing_operation where state = 'open' group by kind
union all
select 'order_fetch_requests', 'open', count(*)::integer from order_fetch_request where handled_at is null
union all
select 'messages', status, count(*)::integer from outbox_message where status in ('waiting', 'sending') group by status
union all
select 'import_jobs', status, count(*)::integer from import_job where status in ('pending', 'in_progress') group by status

-- name: readOldestMessages
-- Returns the age of the oldest waiting mail and text.
select channel, extract(epoch from now() - min(created_at))::float as "seconds!"
from outbox_message
where status in ('waiting', 'sending')
group by channel

-- name: readQueues
-- Returns the waiting and running jobs of each queue, and the age of the oldest due one.
select name as "queue!", state::text as "state!", count(*)::integer as "jobs!",
  extract(epoch from now() - min(start_after))::double precision as "oldest_seconds!"
from jobs.job
where state < 'completed'
group by name, state

-- name: readQuota
-- Returns the daily calls of each budget, and those of the last 24 hours. A budget is a platform, or one of its APIs. An app's
-- limit of a single call is none.
select budget as "budget!", per_day as "per_day!", platform_calls_today(platform, app, '', now())::integer as "used!"
from platform_quota
cross join lateral (
  select platform || substring(app from ' [a-z]+/[a-z_]+$') as api
) named
cross join lateral (select coalesce(api, platform) as budget) called
cross join lateral (
  select coalesce(reported_per_day, (:plans::jsonb -> budget ->> 'perDay')::integer) as per_day
) plan
where per_day is not null and (api is not null or app not like '% %')

-- name: readSales
-- Returns for each platform the sales and oversells of the window.
select marketplace_order.platform,
  (count(*) filter (where line.state in ('sold', 'held')))::integer as "sales!",
  (count(*) filter (where alert.uid is not null))::integer as "oversells!"
from order_line line
join marketplace_order on marketplace_order.user_id = line.user_id and marketplace_order.uid = line.order_uid
left join alert on alert.user_id = line.user_id and alert.kind = 'oversell'
  and alert.reference = line.order_uid || '/' || line.external_line_id
where line.recorded_at > :from and not starts_with(marketplace_order.external_order_id, 'file-')
group by marketplace_order.platform
