-- import type { System } from '#shared/item/units.ts'
-- import type { ListingTerms } from '#shared/listing.ts'
-- import type { PlatformSlug } from '#shared/platforms.ts'

-- name: acceptDelist
-- Records that the platform accepted a request to end a listing, for the holder of the lease; the first time counts.
-- Returns how long the listing has been known or published. Does not wait for the disk: after a crash of the database
-- the listing is ended once more.
with soon as materialized (select set_config('synchronous_commit', 'off', true)),
accepted as (
  update listing_operation set
    accepted_at = least(accepted_at, now()), failures = 0, error_code = null, error_message = null
  from soon
  where user_id = :user_id and id = :id and lease_epoch = :lease_epoch and state = 'open'
  returning user_id, seller_account_uid, listing_id, cancel_requested_at is not null as is_cancelled
)
select accepted.is_cancelled as "is_cancelled!", (extract(epoch from now() - listing.created_at) * 1000)::float8 as known_ms
from accepted
left join channel_listing listing on listing.user_id = :user_id
  and listing.seller_account_uid = accepted.seller_account_uid and listing.listing_id = accepted.listing_id

-- name: acceptOperation
-- Records that the platform accepted an operation, for the holder of the lease. The first time counts.
update listing_operation set
  accepted_at = least(accepted_at, now()), listing_id = coalesce(:listing_id?, listing_id),
  listing_url = coalesce(:listing_url?, listing_url), failures = 0, error_code = null, error_message = null
where user_id = :user_id and id = :id and lease_epoch = :lease_epoch and state = 'open'
returning cancel_requested_at is not null as "is_cancelled!"

-- name: alertOverdue
-- Alerts the seller, once, that a listing should have ended and is not confirmed to have. Before it is overdue, only of an
-- item that is sold, or held by an order, and unless the seller has put the alert aside. An alert that is shown already is
-- mailed once it is overdue. `advice`, what only the seller can do, takes the place of an earlier one.
insert into alert (user_id, uid, kind, item_uid, platform, reference, message, data, notify_at)
select :user_id, :uid, 'delist_overdue', :item_uid, :platform, :reference, :message,
  jsonb_build_object(
    'listing_id', :listing_id?::text, 'listing_url', :listing_url?::text, 'operation_id', :id::text, 'advice', :advice?::text
  ),
  now() + :notify_ms * interval '1 millisecond'
where :is_overdue or exists (
  select from inventory_item item
  where item.user_id = :user_id and item.uid = :item_uid
    and (item.state = 'sold' or item.state = 'reserved' and :cause not in ('user', 'bulk'))
) and not exists (
  select from alert aside
  where aside.user_id = :user_id and aside.kind = 'delist_overdue' and aside.item_uid = :item_uid
    and aside.reference = :reference and aside.state = 'dismissed' and aside.data ->> 'operation_id' = :id::text
)
on conflict (user_id, kind, coalesce(item_uid, ''), reference) where state = 'open'
do update set
  notify_at = least(alert.notify_at, excluded.notify_at),
  message = case when excluded.data ->> 'advice' is null then alert.message else excluded.message end,
  data = case when excluded.data ->> 'advice' is null then alert.data else jsonb_set(alert.data, '{advice}', excluded.data -> 'advice') end

-- name: alertRefusedListing
-- Alerts the seller that an item is not listed although it was asked for. Not while the call that asked waits for the
-- answer, which names the error. A second failure changes the open alert.
insert into alert (user_id, uid, kind, item_uid, platform, reference, message, data)
select
  operation.user_id, :uid, 'listing_refused', operation.item_uid, operation.platform, operation.platform, :message,
  jsonb_build_object(
    'operation_id', operation.id, 'seller_account_uid', operation.seller_account_uid,
    'platforms', jsonb_build_array(operation.platform), 'reason', :reason::text
  )
from listing_operation operation
join inventory_item item on item.user_id = operation.user_id and item.uid = operation.item_uid and item.state = 'available'
where operation.user_id = :user_id and operation.id = :id and operation.kind = 'list' and operation.cause = 'user'
  and (operation.cause_ref is not null or operation.created_at < now() - :wait_ms * interval '1 millisecond')
on conflict (user_id, kind, coalesce(item_uid, ''), reference) where state = 'open' do update set
  message = excluded.message, data = excluded.data

-- name: alertRefusedUpdate
-- Alerts the seller that a platform refused an update of a live listing. A second refusal changes the open alert, which
-- names every field that the listing still lacks. A price that the listing has was not refused.
with raised as (
  insert into alert (user_id, uid, kind, item_uid, platform, reference, message, data)
  select
    :user_id, :uid, 'update_refused', :item_uid, :platform, refused.listing_id, :message,
    jsonb_build_object(
      'listing_id', refused.listing_id, 'listing_url', refused.url, 'seller_account_uid', :seller_account_uid?::text,
      'reason', :reason::text, 'fields', refused.fields
    )
  from (
    select listing_id, url,
      case when price_minor = :price_minor?::bigint or :price_minor::bigint is null then '{}'::text[] else '{price}' end
        || :fields::text[] as fields
    from channel_listing
    where user_id = :user_id and item_uid = :item_uid and seller_account_uid = :seller_account_uid
      and listing_id = coalesce(:listing_id?, listing_id) and state in ('available', 'reserved')
    order by extra
    limit 1
  ) refused
  where cardinality(refused.fields) > 0
  on conflict (user_id, kind, coalesce(item_uid, ''), reference) where state = 'open' do update set
    message = excluded.message,
    data = jsonb_set(
      excluded.data, '{fields}', ((alert.data -> 'fields') - :fields::text[] - 'price') || (excluded.data -> 'fields')
    )
)
select where false

-- name: cancelPublishing
-- Cancels what would publish an item or change its listings, with the tasks to list it by hand, and resolves alerts about
-- refused updates and about listings that failed; of a sold item also unused offers to list it again. The worker ends what
-- it has created. Operations that the platform has accepted become done, so that their listings are ended like any other. A
-- worker of an update loses its lease. Returns the publishing that was open.
with undone as (
  update listing_operation set
    cancel_requested_at = least(cancel_requested_at, now()),
    priority = greatest(priority, :priority),
    next_attempt_at = least(next_attempt_at, now()),
    state = case when accepted_at is null then state else 'done' end,
    finished_at = case when accepted_at is null then null else clock.now end,
    lease_epoch = case when accepted_at is null then lease_epoch else lease_epoch + 1 end
  from (select now() as now) clock
  where user_id = :user_id and item_uid = :item_uid and kind = 'list' and state = 'open'
    and (:platforms?::text[] is null or platform = any(:platforms::text[]))
  returning user_id, id, platform, accepted_at is null as is_under_way
), results as (
  update bulk_item set status = 'cancelled'
  from undone
  where not undone.is_under_way and bulk_item.user_id = :user_id and bulk_item.operation_id = undone.id
    and bulk_item.status = 'pending'
), outdated as (
  update listing_operation set
    state = 'cancelled', finished_at = now(), lease_epoch = lease_epoch + 1, lease_until = null
  where user_id = :user_id and item_uid = :item_uid and kind = 'update' and state = 'open'
    and (:platforms::text[] is null or platform = any(:platforms::text[]))
), dismissed as (
  update extension_task set status = 'dismissed', finished_at = now()
  where user_id = :user_id and item_uid = :item_uid and kind = 'list' and status = 'open'
    and (:platforms::text[] is null or platform = any(:platforms::text[]))
), resolved as (
  update alert set state = 'resolved', finished_at = now()
  where user_id = :user_id and coalesce(item_uid, '') = :item_uid and state = 'open'
    and kind in ('update_refused', 'listing_refused', 'relist_offer', 'listing_expired')
    and (:is_sold or kind in ('update_refused', 'listing_refused'))
    and (:platforms::text[] is null or platform = any(:platforms::text[]))
)
select platform, is_under_way as "is_under_way!" from undone

-- name: closeDelistOperations
-- Closes the operations that would end a listing: the seller ended it by hand, or saw that an attempt left none.
-- Resolves alerts about it. Returns the shops.
with closed as (
  update listing_operation set
    state = case when kind = 'delist' then 'done' else 'cancelled' end,
    finished_at = now(), lease_epoch = lease_epoch + 1, lease_until = null
  where user_id = :user_id and platform = :platform and listing_id is not distinct from :listing_id? and state = 'open'
    and (kind = 'delist' or (kind = 'list' and cancel_requested_at is not null and item_uid = :item_uid))
  returning id, seller_account_uid
), settled as (
  update alert set state = 'resolved', finished_at = now()
  where user_id = :user_id and kind = 'delist_overdue' and coalesce(item_uid, '') = :item_uid and state = 'open'
    and (reference = :listing_id or reference in (select 'intent ' || id from closed))
), results as (
  update bulk_item set status = 'succeeded'
  from listing_operation operation
  where operation.user_id = :user_id and operation.platform = :platform and operation.listing_id = :listing_id
    and operation.kind = 'delist' and operation.state = 'open'
    and bulk_item.user_id = operation.user_id and bulk_item.operation_id = operation.id and bulk_item.status = 'pending'
)
select seller_account_uid from closed

-- name: delistLostListing
-- Queues the end of a listing that a worker published for an operation that had ended meanwhile. Not for a closed
-- account, whose shops are disconnected.
insert into listing_operation (
  user_id, kind, item_uid, platform, seller_account_uid, listing_id, listing_url, external_key, cause, cause_ref, priority,
  traceparent
)
select operation.user_id, 'delist', operation.item_uid, operation.platform, operation.seller_account_uid, :listing_id, :url,
  operation.external_key, 'compensation', operation.id::text, :priority, operation.traceparent
from listing_operation operation
join app_user on app_user.id = operation.user_id and app_user.state = 'active'
where operation.user_id = :user_id and operation.id = :id and operation.state <> 'open'
  and (operation.state <> 'done' or operation.listing_id is distinct from :listing_id)
on conflict (user_id, seller_account_uid, listing_id) where kind = 'delist' and state = 'open' do nothing

-- name: dismissListTasks
-- Dismisses open tasks to list an item by hand.
update extension_task set status = 'dismissed', finished_at = now()
where user_id = :user_id and item_uid = :item_uid and kind = 'list' and status = 'open'
  and (:platforms?::text[] is null or platform = any(:platforms::text[]))

-- name: endListing
-- Records that a listing is no longer live.
update channel_listing set state = :state, extra = false, observed_at = now(), updated_at = now()
where user_id = :user_id and seller_account_uid = :seller_account_uid? and listing_id = :listing_id?
  and state in ('available', 'reserved')

-- name: extendLease
-- Extends a lease for its holder, unless it was given back meanwhile.
update listing_operation set lease_until = now() + :lease_ms * interval '1 millisecond'
where user_id = :user_id and id = :id and lease_epoch = :lease_epoch and state = 'open'
  and lease_until is not null
returning cancel_requested_at is not null as "is_cancelled!"

-- name: findEndedListing
-- Returns the ended listing of an item in a shop that was the last to change.
select listing_id
from channel_listing
where user_id = :user_id and item_uid = :item_uid and seller_account_uid = :seller_account_uid
  and state in ('removed', 'sold')
order by updated_at desc
limit 1

-- name: findHoldingOrder
-- Returns the listing whose unpaid order holds an item.
select ordered.platform, line.listing_id
from order_line line
join marketplace_order ordered on ordered.user_id = line.user_id and ordered.uid = line.order_uid
where line.user_id = :user_id and line.item_uid = :item_uid and line.state = 'held'

-- name: findItemPrices
-- Returns the prices of items.
select uid, price_minor, currency from inventory_item where user_id = :user_id and uid = any(:uids::text[])

-- name: findListedPrice
-- Returns the price of a live listing as it was last read.
select price_minor, currency
from channel_listing
where user_id = :user_id and seller_account_uid = :seller_account_uid and listing_id = :listing_id?
  and state in ('available', 'reserved')

-- name: findListingContent
-- type attributes: Record<string, unknown>
-- type units: System
-- Returns the content of an item for its live listings, and the units of its measurements.
select title, description, attributes, images, condition_label, condition_notes, state,
  (select units from seller_settings settings where settings.user_id = :user_id) as units,
  (select country from postal_address address where address.user_id = :user_id) as country
from inventory_item item
where user_id = :user_id and uid = :item_uid

-- name: findLiveListings
-- type terms: ListingTerms | null
-- Returns the live listings of items, and those that are being published, with their prices.
select item_uid, platform as "platform!", url, price_minor, currency as "currency!", terms
from channel_listing
where user_id = :user_id and item_uid = any(:item_uids::text[]) and state in ('available', 'reserved')
union all
select item_uid, platform, null, price_minor, coalesce(currency, ''), null
from listing_operation
where user_id = :user_id and item_uid = any(:item_uids::text[]) and kind = 'list' and state = 'open'
  and accepted_at is null and cancel_requested_at is null
order by platform

-- name: findListingToUpdate
-- Returns the live listing that was being published when its update was requested, and our key of it.
select listing.listing_id, made.external_key
from channel_listing listing
left join lateral (
  select operation.external_key
  from listing_operation operation
  where operation.user_id = :user_id and operation.item_uid = listing.item_uid and operation.kind = 'list'
    and operation.seller_account_uid = listing.seller_account_uid and operation.listing_id = listing.listing_id
  order by operation.created_at desc
  limit 1
) made on true
where listing.user_id = :user_id and listing.item_uid = :item_uid
  and listing.seller_account_uid = :seller_account_uid and listing.state in ('available', 'reserved')
order by listing.extra, listing.created_at desc
limit 1

-- name: findTaskDone
-- Returns the seller's report on a listing since its end was queued: that it ended or, where the listing is unknown,
-- that they were asked. `is_last_word`: the shop is disconnected, so nobody will ever read it back. A dismissed
-- question about such a shop is asked again a day later.
select task.status = 'completed' and coalesce(shop.status = 'revoked', true) as "is_last_word!"
from extension_task task
left join seller_account shop on shop.user_id = task.user_id and shop.uid = :seller_account_uid
where task.user_id = :user_id and task.item_uid = :item_uid and task.kind = 'delist' and task.platform = :platform
  and task.listing_id is not distinct from :listing_id?
  -- The same condition where the listing is named, for the index.
  and (:listing_id::text is null or task.listing_id = :listing_id)
  and (
    task.status = 'completed'
    or task.listing_id is null and (
      task.status = 'open' or shop.status <> 'revoked' or task.finished_at > now() - interval '1 day'
    )
  )
  and coalesce(task.finished_at, task.created_at)
    >= (select created_at from listing_operation where user_id = :user_id and id = :id)
order by is_last_word desc
limit 1

-- name: finishOperation
-- Ends an operation, for the holder of the lease. Rows of bulk jobs get its result, unless another listing of the item
-- is still to end there: then that one's result counts.
with finished as (
  update listing_operation set
    state = :state, lease_until = null, finished_at = now(),
    confirmed_at = case when :confirmed then now() else confirmed_at end,
    error_code = :error_code?, error_message = :error_message?
  where user_id = :user_id and id = :id and lease_epoch = :lease_epoch and state = 'open'
  returning *
), left_over as (
  select other.user_id, other.id
  from finished
  join listing_operation other on other.user_id = :user_id and other.item_uid = finished.item_uid
    and other.platform = finished.platform and other.kind = 'delist' and other.state = 'open' and other.id <> finished.id
  where finished.kind = 'delist' and finished.state = 'done'
  limit 1
), handed_on as (
  update bulk_item set operation_id = left_over.id
  from left_over
  where bulk_item.user_id = :user_id and bulk_item.operation_id = :id and bulk_item.status = 'pending'
), results as (
  update bulk_item set
    status = case :state when 'done' then 'succeeded' when 'cancelled' then 'cancelled' else 'failed' end,
    listing_id = finished.listing_id, listing_url = finished.listing_url,
    error_code = finished.error_code, error_message = finished.error_message,
    verified_at = finished.confirmed_at
  from finished
  where bulk_item.user_id = :user_id and bulk_item.operation_id = finished.id and bulk_item.status = 'pending'
    and not exists (select from left_over)
)
select cancel_requested_at is not null as "is_cancelled!",
  (extract(epoch from confirmed_at - seen_at) * 1000)::float8 as took_ms
from finished

-- name: insertDelistOperations
-- type platform: PlatformSlug
-- Inserts an open delist operation for every live listing of an item on a platform with an API, except the listing
-- that was sold. Returns them, and without an id the listings that only the seller can end. An open operation stays the only
-- one. A more urgent cause, above all a sale, takes it over, so that it does not end with the bulk job that asked first. Ids
-- come from a random seed, since Citus inserts on the user's shard only what is not volatile.
with live as (
  select * from channel_listing
  where user_id = :user_id and item_uid = :item_uid and state in ('available', 'reserved')
    and (:platforms?::text[] is null or platform = any(:platforms::text[]))
    and (platform, listing_id) is distinct from (:except_platform?, :except_listing_id?)
), queued as (
  insert into listing_operation (
    user_id, id, kind, item_uid, platform, seller_account_uid, listing_id, listing_url, external_key, cause, cause_ref,
    priority, seen_at, traceparent
  )
  select
    listing.user_id, md5(:seed || '/' || listing.seller_account_uid || '/' || listing.listing_id)::uuid, 'delist',
    listing.item_uid, listing.platform, listing.seller_account_uid, listing.listing_id, listing.url, made.external_key,
    :cause, :cause_ref?, :priority, coalesce(:seen_at?::timestamptz, now()), :traceparent?
  from live listing
  left join lateral (
    select operation.external_key
    from listing_operation operation
    where operation.user_id = :user_id and operation.item_uid = listing.item_uid and operation.kind = 'list'
      and operation.seller_account_uid = listing.seller_account_uid and operation.listing_id = listing.listing_id
    order by operation.created_at desc
    limit 1
  ) made on true
  where listing.platform = any(:api_platforms)
  on conflict (user_id, seller_account_uid, listing_id) where kind = 'delist' and state = 'open'
  do update set
    priority = greatest(listing_operation.priority, excluded.priority),
    cause = case when excluded.priority > listing_operation.priority then excluded.cause else listing_operation.cause end,
    cause_ref = case when excluded.priority > listing_operation.priority then excluded.cause_ref else listing_operation.cause_ref end,
    seen_at = case when excluded.priority > listing_operation.priority then excluded.seen_at else listing_operation.seen_at end,
    traceparent = case when excluded.priority > listing_operation.priority then excluded.traceparent else listing_operation.traceparent end,
    -- A waiting operation is tried at once.
    next_attempt_at = case
      when excluded.priority > listing_operation.priority then least(listing_operation.next_attempt_at, excluded.next_attempt_at)
      else listing_operation.next_attempt_at
    end
  returning platform, seller_account_uid, listing_id, listing_url, id
)
select platform as "platform!", seller_account_uid as "seller_account_uid!", listing_id as "listing_id!", listing_url as "url!",
  id as "id?"
from queued
union all
select platform, seller_account_uid, listing_id, url, null from live where not platform = any(:api_platforms)

-- name: insertListOperation
-- Inserts a list operation, or returns the open one, locked so that it does not end meanwhile. The key is that of
-- earlier operations of the item there, so that what they left is found.
insert into listing_operation (
  user_id, kind, item_uid, platform, seller_account_uid, external_key, price_minor, currency, options,
  options_to_remember, cause, cause_ref, priority, traceparent
)
select
  :user_id, 'list', :item_uid, :platform, :seller_account_uid,
  coalesce(
    (
      select external_key from listing_operation
      where user_id = :user_id and item_uid = :item_uid and platform = :platform and kind = 'list'
        and seller_account_uid = :seller_account_uid
      order by created_at desc
      limit 1
    ),
    :external_key
  ),
  :price_minor, :currency, :options, :options_to_remember, :cause, :cause_ref?, :priority,
  :traceparent?
on conflict (user_id, item_uid, platform) where kind = 'list' and state = 'open'
do update set
  priority = greatest(listing_operation.priority, excluded.priority),
  cause = case when excluded.priority > listing_operation.priority then excluded.cause else listing_operation.cause end,
  cause_ref = case when excluded.priority > listing_operation.priority then excluded.cause_ref else listing_operation.cause_ref end,
  traceparent = case when excluded.priority > listing_operation.priority then excluded.traceparent else listing_operation.traceparent end
returning id, cancel_requested_at is not null as "is_cancelled!"

-- name: insertUpdateOperations
-- Inserts updates of the live listings of items, and of those that are being published. Open updates of a listing are
-- cancelled, and the new one takes over what they were to send. One in progress ends first, so that it does not arrive
-- last. `prices`: of platforms with another price than the order's. Listings in another currency keep their price, and so
-- do auctions, whose price is up to the bidders, unless the order names the price itself.
-- `item_uids` are those of the orders, so that PostgreSQL knows how few they are.
with asked as materialized (
  select *
  from json_to_recordset(:orders::json) as row (
    item_uid text, platforms text[], fields text[], content jsonb, price_minor bigint, currency text, prices jsonb
  )
), outdated as (
  update listing_operation operation set
    cancel_requested_at = now(),
    state = case when lease_until > clock.now then state else 'cancelled' end,
    finished_at = case when lease_until > clock.now then null else clock.now end,
    lease_epoch = case when lease_until > clock.now then lease_epoch else lease_epoch + 1 end
  from asked, (select now() as now) clock
  where operation.user_id = :user_id and operation.item_uid = any(:item_uids::text[])
    and operation.item_uid = asked.item_uid and operation.kind = 'update' and operation.state = 'open'
    and (asked.platforms is null or operation.platform = any(asked.platforms))
  returning operation.item_uid, operation.seller_account_uid, operation.listing_id, operation.fields, operation.content,
    operation.price_minor, operation.currency, operation.created_at
), standing as (
  select item_uid, platform, seller_account_uid, listing_id, url, currency, terms ->> 'format' = 'auction' as is_auction
  from channel_listing
  where user_id = :user_id and item_uid = any(:item_uids::text[]) and state in ('available', 'reserved')
  union all
  -- The listing is unknown until it is published. It is looked up then.
  select item_uid, platform, seller_account_uid, null, null, currency, false
  from listing_operation
  where user_id = :user_id and item_uid = any(:item_uids::text[]) and kind = 'list' and state = 'open'
    and accepted_at is null and cancel_requested_at is null
), wanted as (
  select listing.item_uid, listing.platform, listing.seller_account_uid, listing.listing_id, listing.url,
    listing.currency, asked.content,
    coalesce(
      case when asked.currency = listing.currency and asked.price_minor > 0
          and (asked.prices is null or listing.is_auction is not true)
        then coalesce((asked.prices ->> listing.platform)::bigint, asked.price_minor)
      end,
      (
        select outdated.price_minor from outdated
        where outdated.item_uid = listing.item_uid and outdated.seller_account_uid = listing.seller_account_uid
          and outdated.currency = listing.currency and coalesce(outdated.listing_id = listing.listing_id, true)
        order by outdated.price_minor is null, outdated.created_at desc
        limit 1
      )
    ) as price_minor,
    array(
      select unnest(asked.fields)
      union
      select unnest(outdated.fields) from outdated
      where outdated.item_uid = listing.item_uid and outdated.seller_account_uid = listing.seller_account_uid
        and coalesce(outdated.listing_id = listing.listing_id, true)
    ) as fields,
    (
      select outdated.content - asked.fields from outdated
      where outdated.item_uid = listing.item_uid and outdated.seller_account_uid = listing.seller_account_uid
        and outdated.content is not null and coalesce(outdated.listing_id = listing.listing_id, true)
      order by outdated.created_at desc
      limit 1
    ) as kept_content
  from asked
  join standing listing on listing.item_uid = asked.item_uid
    and (asked.platforms is null or listing.platform = any(asked.platforms))
  where listing.platform = any(:api_platforms)
)
insert into listing_operation (
  user_id, kind, item_uid, platform, seller_account_uid, listing_id, listing_url, external_key, fields, content,
  price_minor, currency, cause, traceparent
)
select :user_id, 'update', listing.item_uid, listing.platform, listing.seller_account_uid, listing.listing_id,
  listing.url,
  (
    select operation.external_key from listing_operation operation
    where operation.user_id = :user_id and operation.item_uid = listing.item_uid and operation.kind = 'list'
      and operation.seller_account_uid = listing.seller_account_uid and operation.listing_id = listing.listing_id
    order by operation.created_at desc
    limit 1
  ),
  listing.fields, nullif(coalesce(listing.kept_content, '{}') || coalesce(listing.content, '{}'), '{}'),
  listing.price_minor, listing.currency, 'user', :traceparent?
from wanted listing
where listing.price_minor is not null or cardinality(listing.fields) > 0
returning id, platform

-- name: postponeOperation
-- Gives a lease back and sets the next attempt, for the holder of the lease. A cancelled operation has failed for the
-- bulk jobs that asked for it, however long its remains are looked for.
with put_off as (
  update listing_operation set
    lease_until = null,
    -- An outdated update ends at once, so that the newer one need not wait for it.
    next_attempt_at = case
      when kind = 'update' and cancel_requested_at is not null then clock.now
      -- The shop was connected again during the attempt.
      when next_attempt_at > :due_at::timestamptz then clock.now
      else clock.later
    end,
    failures = case when :failed then failures + 1 else failures end,
    error_code = coalesce(:error_code?, error_code),
    error_message = coalesce(:error_message?, error_message),
    cancel_requested_at = case when :cancel then least(cancel_requested_at, clock.now) else cancel_requested_at end,
    alerted_at = case when :alert then least(alerted_at, clock.now) else alerted_at end
  from (select now() as now, now() + :after_ms * interval '1 millisecond' as later) clock
  where user_id = :user_id and id = :id and lease_epoch = :lease_epoch and state = 'open'
  returning user_id, id, error_code, error_message, cancel_requested_at is not null as is_cancelled
), given_up as (
  update bulk_item item set
    status = 'failed', error_code = put_off.error_code, error_message = put_off.error_message
  from put_off
  where :cancel and item.user_id = :user_id and item.operation_id = put_off.id and item.status = 'pending'
)
select is_cancelled as "is_cancelled!" from put_off

-- name: recordSend
-- Records what is about to be sent and what the platform has created so far, for the holder of the lease.
update listing_operation set
  sent_at = now(), listing_id = coalesce(:listing_id?, listing_id),
  lease_until = now() + :lease_ms * interval '1 millisecond'
where user_id = :user_id and id = :id and lease_epoch = :lease_epoch and state = 'open'
returning cancel_requested_at is not null as "is_cancelled!"

-- name: resolveOverdue
-- Resolves the alert about a listing that ended late, and dismisses the task to end it by hand.
with dismissed as (
  update extension_task set status = 'dismissed', finished_at = now()
  where user_id = :user_id and item_uid = :item_uid and kind = 'delist' and platform = :platform
    and listing_id is not distinct from :listing_id? and status = 'open'
)
update alert set state = 'resolved', finished_at = now()
where user_id = :user_id and kind = 'delist_overdue' and coalesce(item_uid, '') = :item_uid and reference = :reference
  and state = 'open'

-- name: resolveRefusedUpdate
-- Takes the fields that a listing got off the alert about its refused update, and resolves the alert with the last one.
update alert set
  data = jsonb_set(data, '{fields}', (data -> 'fields') - :fields::text[]),
  state = case when (data -> 'fields') - :fields::text[] = '[]' then 'resolved' else state end,
  finished_at = case when (data -> 'fields') - :fields::text[] = '[]' then clock.now end
from (select now() as now) clock
where user_id = :user_id and kind = 'update_refused' and coalesce(item_uid, '') = :item_uid
  and reference = :listing_id and state = 'open'

-- name: settleDifferences
-- Ends the differences of fields that an update has sent. The platform may keep a description or photos in another form,
-- so that their next reading is what later ones are compared with.
with gone as (
  delete from listing_difference
  where user_id = :user_id and seller_account_uid = :seller_account_uid and listing_id = :listing_id
    and field in ('title', 'price') and field = any(:fields::text[])
)
insert into listing_difference (
  user_id, uid, seller_account_uid, listing_id, field, theirs, theirs_hash, state, noticed_at
)
select listing.user_id, :uids::jsonb ->> field, listing.seller_account_uid, listing.listing_id, field, '""', '', 'same', now()
from channel_listing listing
cross join unnest(array['description', 'photos']) as field
where listing.user_id = :user_id and listing.seller_account_uid = :seller_account_uid
  and listing.listing_id = :listing_id and field = any(:fields::text[])
on conflict (user_id, seller_account_uid, listing_id, field) do update set
  uid = excluded.uid, theirs = excluded.theirs, theirs_hash = '', state = 'same', noticed_at = excluded.noticed_at

-- name: storeChosenOptions
-- Stores the completed options of an operation, for the holder of the lease.
update listing_operation set options = :options, options_chosen_at = now()
where user_id = :user_id and id = :id and lease_epoch = :lease_epoch and state = 'open'
returning cancel_requested_at is not null as "is_cancelled!"

-- name: storeHold
-- Records whether the platform keeps a listing on hold.
update channel_listing set
  terms = case when :is_on_hold::boolean then coalesce(terms, '{}') || '{"on_hold": true}' else terms - 'on_hold' end,
  updated_at = now()
where user_id = :user_id and seller_account_uid = :seller_account_uid and listing_id = :listing_id

-- name: storeListing
-- Stores a listing that was published for an item, as an extra one beside another live listing of the item on the
-- platform.
insert into channel_listing (
  user_id, seller_account_uid, listing_id, item_uid, platform, url, state, extra, sku, price_minor, currency, listed_at,
  observed_at
)
select
  :user_id, :seller_account_uid, :listing_id, :item_uid, :platform, :url, 'available',
  exists (
    select from channel_listing other
    where other.user_id = :user_id and other.item_uid = :item_uid and other.platform = :platform
      and other.state in ('available', 'reserved')
      and (other.seller_account_uid, other.listing_id) <> (:seller_account_uid, :listing_id)
  ),
  :sku?, :price_minor?, :currency?, now(), now()
on conflict (user_id, seller_account_uid, listing_id) do update set
  item_uid = excluded.item_uid, url = excluded.url, state = 'available', extra = excluded.extra, sku = excluded.sku,
  price_minor = excluded.price_minor, currency = excluded.currency, listed_at = excluded.listed_at,
  observed_at = excluded.observed_at, updated_at = excluded.updated_at

-- name: storePrice
-- Stores the new price of a live listing, which ends a sale event.
update channel_listing set price_minor = :price_minor?, currency = :currency?, observed_at = now(), updated_at = now(),
  terms = case when price_minor = :price_minor then terms else terms - 'sale' end
where user_id = :user_id and seller_account_uid = :seller_account_uid and listing_id = :listing_id
  and state in ('available', 'reserved')

-- name: storeWarnings
-- Adds what the platform warned of to an operation, also after its lease was lost.
update listing_operation set warnings = (
  select array_agg(distinct sentence) from unnest(coalesce(warnings, '{}') || :warnings::text[]) as sentence
)
where user_id = :user_id and id = :id

-- name: wakeDelistOperations
-- Has the operations that end a listing run now, because the seller says that it ended. Returns a row if the shop is
-- still the seller's, so that it can be read, now or once it is connected again.
with woken as (
  update listing_operation set next_attempt_at = least(next_attempt_at, now())
  where user_id = :user_id and platform = :platform and listing_id is not distinct from :listing_id? and state = 'open'
    and (kind = 'delist' or (kind = 'list' and cancel_requested_at is not null and item_uid = :item_uid))
)
select uid from seller_account where user_id = :user_id and uid = :seller_account_uid and status <> 'revoked'

-- name: wakeShop
-- Makes a shop's operations due now. An operation in progress is retried at once if it fails (`postponeOperation`).
update listing_operation set next_attempt_at = now()
where user_id = :user_id and seller_account_uid = :seller_account_uid and state = 'open'
  and (next_attempt_at > now() or lease_until is not null)
