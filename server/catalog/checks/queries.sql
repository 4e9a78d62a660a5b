-- import type { ConflictFacts, FaultKind, Holder, ListingFacts } from './classify-item.ts'
-- import type { Availability } from '#shared/item/inventory-record.ts'
-- import type { PlatformSlug } from '#shared/platforms.ts'

-- name: countLiveListings
-- Returns how many live listings each shop has that only the seller's browser reads, and when a page of it was last read.
select shop.uid as seller_account_uid, shop.platform, shop.external_name, shop.url, shop.last_seen_at,
  shop.last_synced_at, shop.connected_at, live.count as "live!"
from seller_account shop
join (
  select seller_account_uid, count(*)::integer as count
  from channel_listing
  where user_id = :user_id and state in ('available', 'reserved')
  group by seller_account_uid
) live on live.seller_account_uid = shop.uid
where shop.user_id = :user_id and shop.platform <> all(:api_platforms::text[]) and shop.status <> 'revoked'
  and coalesce(shop.last_seen_at, shop.last_synced_at, shop.connected_at) < now() - :silent_days * interval '1 day'

-- name: deleteFaults
-- Deletes faults that are mended.
delete from inventory_fault
where user_id = :user_id and uid = any(:uids::text[])

-- name: dismissFault
-- Stores the facts that the seller accepts.
update inventory_fault set dismissed_facts = :facts
where user_id = :user_id and uid = :uid

-- name: findCandidates
-- Returns the items that may have a fault, by one pass over the listings of the user. Generous: `classifyItem` decides.
with there as (
  select listing.item_uid, listing.platform,
    count(*) filter (where listing.state in ('available', 'reserved')) as live,
    bool_or(listing.state in ('sold', 'reserved')) as is_taken,
    bool_or(listing.state in ('available', 'reserved') and listing.platform = any(:ruled::text[])) as is_ruled
  from channel_listing listing
  where listing.user_id = :user_id
  group by listing.item_uid, listing.platform
), everywhere as (
  select item_uid, sum(live) as live, bool_or(live > 1) as is_twice, bool_or(is_taken) as is_taken,
    bool_or(is_ruled) as is_ruled
  from there
  group by item_uid
)
select item.uid
from everywhere
join inventory_item item on item.user_id = :user_id and item.uid = everywhere.item_uid
where everywhere.live > 0 and (item.state in ('sold', 'reserved') or is_taken or is_twice or is_ruled)
union
select coalesce(named.redirect_uid, named.uid)
from import_item asked
join inventory_item named on named.user_id = asked.user_id and named.uid = asked.conflict_item_uid
where asked.user_id = :user_id and asked.status = 'conflict' and asked.conflict_type = 'sold_elsewhere'

-- name: findCheck
-- Returns when a user's whole inventory was last checked.
select checked_at from inventory_check where user_id = :user_id

-- name: findTwins
-- unprepared, since the plan for a few items is not that for a whole inventory
-- Returns pairs of items that are live twice on one platform by all that is known: same title, price and size, the same
-- first photo or description, and no SKUs that tell them apart. `first_uid`: the one that was listed first.
with live as (
  select listing.item_uid, listing.platform,
    coalesce(listing.listed_at, listing.for_sale_since, listing.created_at) as listed_at, item.sku,
    dense_rank() over alike as kind,
    count(*) over alike as many
  from channel_listing listing
  join inventory_item item on item.user_id = listing.user_id and item.uid = listing.item_uid
  where listing.user_id = :user_id and listing.state in ('available', 'reserved')
    and item.state in ('available', 'reserved')
    and (:uids?::text[] is null or listing.item_uid = any(:uids::text[]))
  window alike as (
    partition by listing.platform order by lower(item.title) collate "C", listing.price_minor, listing.currency,
      coalesce(item.attributes ->> 'size', '') range current row
  )
), alike as materialized (
  select live.*, item.images[1] as photo, hash.hash as photo_hash,
    nullif(md5(item.description), md5('')) as description
  from live
  join inventory_item item on item.user_id = :user_id and item.uid = live.item_uid
  left join photo_hash hash on hash.user_id = item.user_id and hash.url_hash = sha256(convert_to(item.images[1], 'UTF8'))
  where live.many > 1
)
select distinct on (one.platform, other.item_uid) one.platform, one.item_uid as first_uid, other.item_uid as second_uid
from alike one
join alike other on other.platform = one.platform and other.kind = one.kind
  and (other.listed_at, other.item_uid) > (one.listed_at, one.item_uid) and other.item_uid <> one.item_uid
  and (other.photo = one.photo or other.photo_hash = one.photo_hash or other.description = one.description)
  and (one.sku is null or other.sku is null)
order by one.platform, other.item_uid, one.listed_at, one.item_uid

-- name: findUnconfirmedSales
-- type sold_on: PlatformSlug
-- type source: string
-- type item_state: Availability
-- type taking_down: PlatformSlug[]
-- type waiting_on: PlatformSlug[]
-- type ended_on: PlatformSlug[]
-- Returns the sales of the last 30 days that one witness told of, and another that was read since, or should have been,
-- has not. An order of a platform's API, and a sale that the seller told of, needs no second witness. Where only the
-- browser reads a platform, a sale that a mail told of waits for the page, and one that the page showed is confirmed.
select ordered.uid as order_uid, ordered.platform as sold_on, coalesce(told.witness, ordered.source) as "source!",
  ordered.external_order_id,
  ordered.seller_account_uid, line.item_uid as "item_uid!", line.listing_id, line.recorded_at,
  item.title, item.images[1] as image, item.state as item_state,
  sync.last_success_at as orders_read_at, coalesce(shop.last_seen_at, shop.last_synced_at) as page_read_at,
  array(
    select distinct operation.platform from listing_operation operation
    where operation.user_id = :user_id and operation.item_uid = line.item_uid and operation.kind = 'delist'
      and operation.state = 'open'
  ) as "taking_down!",
  array(
    select distinct task.platform from extension_task task
    where task.user_id = :user_id and task.item_uid = line.item_uid and task.kind = 'delist' and task.status = 'open'
  ) as "waiting_on!",
  array(
    select listing.platform from channel_listing listing
    where listing.user_id = :user_id and listing.item_uid = line.item_uid and listing.platform <> ordered.platform
    group by listing.platform having every(listing.state in ('sold', 'removed'))
  ) as "ended_on!"
from marketplace_order ordered
join order_line line on line.user_id = ordered.user_id and line.order_uid = ordered.uid
  and line.state in ('held', 'sold')
join inventory_item item on item.user_id = line.user_id and item.uid = line.item_uid
left join order_sync sync on sync.user_id = ordered.user_id and sync.seller_account_uid = ordered.seller_account_uid
left join seller_account shop on shop.user_id = ordered.user_id and shop.uid = ordered.seller_account_uid
left join lateral (
  select moved.witness from inventory_history moved
  where moved.user_id = :user_id and moved.item_uid = line.item_uid and moved.reference = ordered.uid
    and moved.to_state in ('reserved', 'sold')
  order by moved.version desc limit 1
) told on line.state = 'held' and told.witness in ('mail', 'seller')
where ordered.user_id = :user_id and ordered.ordered_at > now() - interval '30 days'
  and ordered.source not in ('platform', 'outside') and not starts_with(ordered.external_order_id, 'file-')
  and (ordered.platform = any(:api_platforms::text[]) or told.witness is not null)
  and line.recorded_at < now() - interval '15 minutes'
order by line.recorded_at desc
limit 200

-- name: keepFaults
-- Stores what a check of the whole inventory found, and forgets what it did not. A fault keeps its id. One that
-- the seller accepted is shown again once its facts are others.
with found as (
  select *
  from json_to_recordset(:rows::json) as row (uid text, kind text, item_uid text, reference text, facts text)
), gone as (
  delete from inventory_fault known
  where known.user_id = :user_id and not exists (
    select from found
    where found.item_uid = known.item_uid and found.kind = known.kind and found.reference = known.reference
  )
), changed as (
  update inventory_fault known set dismissed_facts = null
  from found
  where known.user_id = :user_id and found.item_uid = known.item_uid and found.kind = known.kind
    and found.reference = known.reference and known.dismissed_facts <> found.facts
), checked as (
  insert into inventory_check (user_id, checked_at)
  values (:user_id, now())
  on conflict (user_id) do update set checked_at = excluded.checked_at
)
insert into inventory_fault (user_id, uid, kind, item_uid, reference)
select :user_id, found.uid, found.kind, found.item_uid, found.reference
from found
join inventory_item item on item.user_id = :user_id and item.uid = found.item_uid
on conflict on constraint inventory_fault_once_key do nothing

-- name: listFaults
-- type kind: FaultKind
-- Returns the faults that checks found, or the one with this id.
select uid, kind, item_uid, reference, found_at, dismissed_facts
from inventory_fault
where user_id = :user_id and (:uid?::text is null or uid = :uid)

-- name: lockCheck
-- Locks a user's checks until the transaction ends, so that one which began earlier does not write over a later one.
insert into inventory_check (user_id, checked_at)
values (:user_id, now())
on conflict (user_id) do update set checked_at = inventory_check.checked_at

-- name: nextDue
-- Returns users with a shop whose inventory was not checked for a day.
select distinct shop.user_id
from seller_account shop
join app_user holder on holder.id = shop.user_id and holder.state = 'active'
where shop.status <> 'revoked'
  and shop.user_id not in (select user_id from inventory_check where checked_at > now() - interval '1 day')
limit :count

-- name: readFacts
-- type state: Availability
-- type holder: Holder | null
-- type listings: ListingFacts[]
-- type conflicts: ConflictFacts[]
-- Returns what is known of items and their listings, to be checked. A listing's price is that of its last reading, which a
-- difference keeps where it is not the item's.
with asked as materialized (
  select asked.*, job.platform, job.seller_account_uid, coalesce(named.redirect_uid, named.uid) as about_uid
  from import_item asked
  join inventory_item named on named.user_id = asked.user_id and named.uid = asked.conflict_item_uid
  join import_job job on job.user_id = asked.user_id and job.uid = asked.job_uid
  where asked.user_id = :user_id and asked.status = 'conflict' and asked.conflict_type = 'sold_elsewhere'
    and coalesce(named.redirect_uid, named.uid) = any(:uids::text[])
)
select item.uid, item.title, item.images[1] as image, item.state, item.price_minor, item.currency,
  item.attributes ->> 'format' is not distinct from 'auction' as "is_auction!",
  (
    select moved.at from inventory_history moved
    where moved.user_id = :user_id and moved.item_uid = item.uid and moved.from_state is distinct from moved.to_state
    order by moved.version desc limit 1
  ) as moved_at,
  (
    select jsonb_build_object(
      'platform', ordered.platform, 'listing_id', line.listing_id, 'source', ordered.source, 'order_uid', ordered.uid,
      'at', to_char(line.recorded_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')
    )
    from order_line line
    join marketplace_order ordered on ordered.user_id = line.user_id and ordered.uid = line.order_uid
    where line.user_id = :user_id and line.item_uid = item.uid and line.state in ('held', 'sold')
    limit 1
  ) as holder,
  coalesce((
    select jsonb_agg(jsonb_build_object(
      'platform', listing.platform, 'seller_account_uid', listing.seller_account_uid, 'listing_id', listing.listing_id,
      'url', listing.url, 'state', listing.state, 'extra', listing.extra,
      'price_minor', coalesce((price.theirs ->> 'price_minor')::bigint, listing.price_minor),
      'currency', coalesce(price.theirs ->> 'currency', listing.currency), 'price_difference', price.uid,
      'is_cancelled', exists (
        select from order_line line
        where line.user_id = :user_id and line.item_uid = listing.item_uid
          and line.listing_id = listing.listing_id and line.state = 'cancelled'
      ),
      'is_ending', exists (
        select from listing_operation ending
        where ending.user_id = :user_id and ending.seller_account_uid = listing.seller_account_uid
          and ending.listing_id = listing.listing_id and ending.kind = 'delist' and ending.state = 'open'
      ),
      'sending', array(
        select unnest(operation.fields || case when operation.price_minor is not null then array['price'] end)
        from listing_operation operation
        where operation.user_id = :user_id and operation.item_uid = listing.item_uid
          and operation.kind = 'update' and operation.state = 'open'
          and operation.seller_account_uid = listing.seller_account_uid
          and coalesce(operation.listing_id = listing.listing_id, true)
      ),
      'alert_uid', (
        select alert.uid from alert
        where alert.user_id = :user_id and alert.kind = 'delist_overdue' and alert.state = 'open'
          and coalesce(alert.item_uid, '') = listing.item_uid and alert.data ->> 'listing_id' = listing.listing_id
        limit 1
      ),
      'task_uid', (
        select task.uid from extension_task task
        where task.user_id = :user_id and task.listing_id = listing.listing_id and task.platform = listing.platform
          and task.kind = 'delist' and task.status = 'open'
        limit 1
      ),
      'listed_at', to_char(
        coalesce(listing.listed_at, listing.for_sale_since, listing.created_at) at time zone 'UTC',
        'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'
      )
    ) order by coalesce(listing.listed_at, listing.for_sale_since, listing.created_at), listing.listing_id)
    from channel_listing listing
    left join listing_difference price on price.user_id = listing.user_id
      and price.seller_account_uid = listing.seller_account_uid and price.listing_id = listing.listing_id
      and price.field = 'price' and price.state <> 'same'
    where listing.user_id = :user_id and listing.item_uid = item.uid
  ), '[]') as "listings!",
  coalesce((
    select jsonb_agg(jsonb_build_object(
      'job_uid', asked.job_uid, 'item_uid', asked.uid, 'platform', asked.platform, 'seller_account_uid', asked.seller_account_uid,
      'listing_id', asked.external_listing_id, 'state', asked.found ->> 'state', 'quantity', asked.found -> 'quantity',
      'url', asked.found ->> 'url', 'price_minor', asked.found -> 'price_minor', 'currency', asked.found ->> 'currency',
      'at', to_char(asked.observed_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')
    ) order by asked.uid)
    from asked where asked.about_uid = item.uid
  ), '[]') as "conflicts!"
from inventory_item item
where item.user_id = :user_id and item.uid = any(:uids::text[]) and item.redirect_uid is null
