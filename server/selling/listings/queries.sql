-- import type { ContentField, ListingContent } from '#server/integrations/port.ts'
-- import type { OperationCause } from './operation.ts'
-- import type { ListingOptions } from '#shared/contract/selling/listings.ts'
-- import type { ListingTerms } from '#shared/listing.ts'
-- import type { OAuthSlug } from '#shared/platforms.ts'

-- name: addAttributes
-- Adds the attributes of a list request to an item, if they change anything.
update inventory_item
set attributes = attributes || :attributes::jsonb, version = version + 1, updated_at = now()
where user_id = :user_id and uid = :item_uid and not attributes @> :attributes::jsonb
returning version

-- name: cancelUnsentDelists
-- Cancels what the seller asked to end and no worker has claimed yet, operations and tasks. Returns a row for each.
with cancelled as (
  update listing_operation set state = 'cancelled', finished_at = now()
  where user_id = :user_id and item_uid = :item_uid and platform = :platform and kind = 'delist' and state = 'open'
    and sent_at is null and cause in ('user', 'bulk')
  returning user_id, id
), dismissed as (
  update extension_task set status = 'dismissed', finished_at = now()
  where user_id = :user_id and item_uid = :item_uid and platform = :platform and kind = 'delist' and status = 'open'
    and cause in ('user', 'bulk')
  returning uid, listing_id
), settled as (
  update alert set state = 'resolved', finished_at = now()
  from dismissed
  where alert.user_id = :user_id and alert.kind = 'delist_overdue' and coalesce(alert.item_uid, '') = :item_uid
    and alert.reference = dismissed.listing_id and alert.state = 'open' and not alert.data ? 'operation_id'
), results as (
  update bulk_item set status = 'cancelled'
  from cancelled
  where bulk_item.user_id = :user_id and bulk_item.operation_id = cancelled.id and bulk_item.status = 'pending'
)
select id::text as id from cancelled
union all
select uid from dismissed

-- name: claimOperations
-- type platform: OAuthSlug
-- type fields: ContentField[]
-- type content: Partial<Pick<ListingContent, ContentField>>
-- type options: ListingOptions
-- type options_to_remember: ListingOptions
-- type cause: OperationCause
-- type terms: ListingTerms
-- unprepared, since a plan made while the queue was empty would read a whole backlog.
-- Claims those of a user's due operations that no other worker has taken since. An earlier holder can no longer write. Times
-- are the database's, since clocks of workers differ.
with free as materialized (
  select operation.id
  from listing_operation operation
  where operation.user_id = :user_id and operation.id = any(:ids::uuid[]) and operation.state = 'open'
    and operation.next_attempt_at <= now() and (operation.lease_until is null or operation.lease_until < now())
    and not exists (
      select from listing_operation other
      where other.user_id = :user_id and other.item_uid = operation.item_uid and other.platform = operation.platform
        and other.state = 'open' and other.id <> operation.id and other.lease_until > now()
    )
  for update of operation skip locked
), claimed as (
  update listing_operation operation set
    lease_epoch = operation.lease_epoch + 1,
    lease_until = now() + :lease_ms * interval '1 millisecond',
    attempts = operation.attempts + 1,
    -- Ending a listing may be sent any number of times, so it counts as sent from the claim on.
    sent_at = case when operation.kind = 'delist' then clock.now else operation.sent_at end
  from free, (select now() as now) clock
  where operation.user_id = :user_id and operation.id = free.id
  returning operation.*
)
select claimed.user_id, claimed.id, claimed.kind, claimed.item_uid, claimed.platform,
  claimed.seller_account_uid, claimed.listing_id, claimed.listing_url, claimed.external_key, claimed.fields,
  claimed.content,  claimed.price_minor, claimed.currency, claimed.options, claimed.options_to_remember, claimed.cause,
  claimed.cause_ref, claimed.priority, claimed.attempts, claimed.failures, claimed.lease_epoch,
  claimed.error_code, claimed.error_message, claimed.traceparent,
  (
    select terms from channel_listing listing
    where listing.user_id = :user_id and listing.seller_account_uid = claimed.seller_account_uid
      and listing.listing_id = claimed.listing_id
  ) as terms,
  -- As text, to keep the microseconds.
  claimed.next_attempt_at::text as "due_at!",
  claimed.options_chosen_at is not null as "is_chosen!",
  claimed.accepted_at is not null as "is_accepted!",
  claimed.cancel_requested_at is not null as "is_cancelled!",
  claimed.alerted_at is not null as "is_alerted!",
  (extract(epoch from now() - claimed.seen_at) * 1000)::float8 as "seen_ms_ago!",
  (extract(epoch from now() - claimed.accepted_at) * 1000)::float8 as accepted_ms_ago,
  (extract(epoch from now() - claimed.sent_at) * 1000)::float8 as sent_ms_ago,
  (extract(epoch from now() - claimed.cancel_requested_at) * 1000)::float8 as cancelled_ms_ago
from claimed

-- name: findCurrentListing
-- Returns the live listing of an item on a platform. Not one that is being ended, nor one reserved by an order that no
-- longer holds the item.
select listing.listing_id, listing.url
from channel_listing listing
where listing.user_id = :user_id and listing.item_uid = :item_uid and listing.platform = :platform
  and listing.state = 'available'
  and not exists (
    select from listing_operation operation
    where operation.user_id = :user_id and operation.seller_account_uid = listing.seller_account_uid
      and operation.listing_id = listing.listing_id and operation.kind = 'delist' and operation.state = 'open'
  )
order by listing.extra, listing.created_at
limit 1

-- name: findDelisting
-- Returns how far the end of an item's listings on a platform is: the number of open operations and live listings, and
-- the newest listing.
select
  (
    select count(*)::integer from listing_operation operation
    where operation.user_id = :user_id and operation.item_uid = :item_uid and operation.platform = :platform
      and operation.state = 'open' and operation.kind in ('list', 'delist')
  ) as "open!",
  (
    select count(*)::integer from channel_listing listing
    where listing.user_id = :user_id and listing.item_uid = :item_uid and listing.platform = :platform
      and listing.state in ('available', 'reserved')
  ) as "live!",
  last.listing_id, last.listing_url, last.confirmed_at is not null as is_confirmed
from (select) nothing
left join lateral (
  select operation.listing_id, operation.listing_url, operation.confirmed_at
  from listing_operation operation
  where operation.user_id = :user_id and operation.item_uid = :item_uid and operation.platform = :platform
    and operation.kind = 'delist'
  order by operation.created_at desc
  limit 1
) last on true

-- name: findListingToEnd
-- type options: ListingOptions
-- Returns the live listing of an item on a platform that nothing ends yet, with what it was listed with. `options` is null
-- for a listing that Hapax did not publish.
select listing.seller_account_uid, listing.price_minor, listing.currency, item.title, made.options as "options?"
from channel_listing listing
join inventory_item item on item.user_id = listing.user_id and item.uid = listing.item_uid
left join lateral (
  select operation.options
  from listing_operation operation
  where operation.user_id = :user_id and operation.item_uid = listing.item_uid and operation.kind = 'list'
    and operation.seller_account_uid = listing.seller_account_uid and operation.listing_id = listing.listing_id
  order by operation.created_at desc
  limit 1
) made on true
where listing.user_id = :user_id and listing.item_uid = :item_uid and listing.platform = :platform
  and listing.state = 'available'
  and not exists (
    select from listing_operation operation
    where operation.user_id = :user_id and operation.seller_account_uid = listing.seller_account_uid
      and operation.listing_id = listing.listing_id and operation.kind = 'delist' and operation.state = 'open'
  )
  and not exists (
    select from extension_task task
    where task.user_id = :user_id and task.platform = listing.platform and task.listing_id = listing.listing_id
      and task.kind = 'delist' and task.status = 'open'
  )
order by listing.extra, listing.created_at
limit 1

-- name: findLiveListing
-- type state: 'available' | 'reserved'
-- Returns the live listing of an item on a platform, and how long it has been known.
select seller_account_uid, listing_id, url, state, price_minor, currency,
  (extract(epoch from now() - created_at) * 1000)::float8 as "known_ms!"
from channel_listing
where user_id = :user_id and item_uid = :item_uid and platform = :platform and state in ('available', 'reserved')
order by extra, created_at
limit 1

-- name: findOutcome
-- Returns the state of an operation.
select state, accepted_at is not null as "is_accepted!", cancel_requested_at is not null as "is_cancelled!", listing_id,
  listing_url, error_code, error_message
from listing_operation
where user_id = :user_id and id = :id

-- name: findShopPlatform
-- Returns the platform of a shop that is not disconnected.
select platform from seller_account where user_id = :user_id and uid = :seller_account_uid and status <> 'revoked'

-- name: listDueOperations
-- unprepared, since a plan made while the queue was empty would read a whole backlog.
-- Lists due operations of one queue, by priority: `down` for what ends listings on any platform, or one platform's
-- listings and their updates. One operation at a time runs for an item and platform, and publishing waits for ending. An
-- account that holds `most_of_account` of the queue (null: any number) gets no more, so that listings that hang hold up no
-- other account's.
with full_account as (
  select user_id
  from listing_operation
  where :most_of_account?::integer is not null and state = 'open' and lease_until > now()
    and case when kind = 'delist' or cancel_requested_at is not null then 'down' else platform end = :queue
  group by user_id
  having count(*) >= :most_of_account
)
select operation.user_id, operation.id
from listing_operation operation
where operation.state = 'open' and operation.next_attempt_at <= now()
  and (operation.lease_until is null or operation.lease_until < now())
  and operation.user_id not in (select user_id from full_account)
  and case when operation.kind = 'delist' or operation.cancel_requested_at is not null then 'down' else operation.platform end = :queue
  and not exists (
    select from listing_operation other
    where other.user_id = operation.user_id and other.item_uid = operation.item_uid and other.platform = operation.platform
      and other.state = 'open' and other.id <> operation.id
      and (
        other.lease_until > now()
        or (operation.kind <> 'delist' and (other.kind = 'delist' or other.created_at < operation.created_at))
      )
  )
order by operation.priority desc, operation.next_attempt_at
limit :count

-- name: lockItemState
-- Returns the state of an item and locks it until the transaction ends: a sale waits, or is seen.
select state from inventory_item where user_id = :user_id and uid = :item_uid for no key update

-- name: lockItemToPrice
-- Returns an item with its price, and whether it is live or being published, and locks it until the transaction ends.
select item.uid, item.title, item.state, item.price_minor, item.currency, item.redirect_uid,
  exists (
    select from channel_listing live
    where live.user_id = :user_id and live.item_uid = item.uid and live.state in ('available', 'reserved')
  ) or exists (
    select from listing_operation operation
    where operation.user_id = :user_id and operation.item_uid = item.uid and operation.kind = 'list'
      and operation.state = 'open'
  ) as "is_listed!"
from inventory_item item
where item.user_id = :user_id and item.uid = :item_uid?
for no key update of item

-- name: listPricedListings
-- type platform: PlatformSlug
-- Returns the prices of an item's live listings that follow its price, one for each platform: those that they are about to
-- get, where an update is under way. An auction's is up to its bidders.
select distinct on (live.platform) live.platform, coalesce(sent.price_minor, live.price_minor) as "price_minor!"
from channel_listing live
join inventory_item item on item.user_id = live.user_id and item.uid = live.item_uid and item.currency = live.currency
left join lateral (
  select operation.price_minor
  from listing_operation operation
  where operation.user_id = :user_id and operation.seller_account_uid = live.seller_account_uid
    and operation.listing_id = live.listing_id and operation.kind = 'update' and operation.state = 'open'
    and operation.price_minor is not null
  order by operation.created_at desc
  limit 1
) sent on true
where live.user_id = :user_id and live.item_uid = :item_uid and live.platform = any(:platforms::text[])
  and live.state in ('available', 'reserved') and live.terms ->> 'format' is distinct from 'auction'
  and coalesce(sent.price_minor, live.price_minor) > 0
order by live.platform, live.created_at desc

-- name: resolveRelistOffer
-- Resolves the offer to list an item again once it is live again wherever it was, and the alert about a listing that
-- failed once it is live there.
update alert set state = 'resolved', finished_at = now()
where user_id = :user_id and kind in ('relist_offer', 'listing_expired', 'listing_refused') and coalesce(item_uid, '') = :item_uid and state = 'open'
  and not exists (
    select from jsonb_array_elements_text(data -> 'platforms') as offered (platform)
    where not exists (
      select from channel_listing live
      where live.user_id = :user_id and live.item_uid = :item_uid and live.platform = offered.platform
        and live.state = 'available'
        and not exists (
          select from listing_operation operation
          where operation.user_id = :user_id and operation.seller_account_uid = live.seller_account_uid
            and operation.listing_id = live.listing_id and operation.kind = 'delist' and operation.state = 'open'
        )
    )
  )

-- name: setItemPrice
-- Stores the new price of a locked item as its next version, with its history.
with changed as (
  update inventory_item set price_minor = :price_minor, version = version + 1, updated_at = now()
  where user_id = :user_id and uid = :item_uid
  returning user_id, uid, version, state
), told as (
  insert into inventory_history (user_id, item_uid, version, actor, from_state, to_state, reason, reference, changes)
  select user_id, uid, version, 'user', state, state, :reason, :reference,
    jsonb_build_array(jsonb_build_object('field', 'price', 'from', :from::text, 'to', :to::text))
  from changed
)
select version from changed

-- name: touchItem
-- Marks an item's record as changed, since it names the item's listings.
update inventory_item set updated_at = now() where user_id = :user_id and uid = :item_uid
