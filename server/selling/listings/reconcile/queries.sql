-- import type { OAuthSlug } from '#shared/platforms.ts'

-- name: alertExpired
-- Alerts the seller of an available item that its listing expired. `words` follow the item's title.
insert into alert (user_id, uid, kind, item_uid, platform, reference, message, data)
select :user_id, :uid, 'listing_expired', item.uid, :platform, :listing_id, 'The listing of "' || item.title || :words,
  jsonb_build_object(
    'listing_id', :listing_id::text, 'listing_url', :url::text, 'seller_account_uid', :seller_account_uid::text,
    'platforms', jsonb_build_array(:platform::text)
  )
from inventory_item item
where item.user_id = :user_id and item.uid = :item_uid and item.state = 'available'
on conflict (user_id, kind, coalesce(item_uid, ''), reference) where state = 'open' do nothing

-- name: claimShopsToReconcile
-- type platform: OAuthSlug
-- Claims shops whose listings were last compared an hour ago, or as long ago as all connected shops of their platform
-- take at `seconds_per_shop`. A shop with reported changes is due after five minutes. Workers claim different shops.
update seller_account account set reconciled_at = now()
from (
  select seller_account.user_id, seller_account.uid
  from seller_account
  join (
    select given.platform, greatest(3600, given.seconds * count(*)) * interval '1 second' as turn
    from unnest(:platforms::text[], :seconds_per_shop::float8[]) as given (platform, seconds)
    join seller_account connected on connected.platform = given.platform and connected.status = 'connected'
    group by given.platform, given.seconds
  ) plan on plan.platform = seller_account.platform
  where seller_account.status = 'connected'
    and (
      coalesce(seller_account.reconciled_at, seller_account.connected_at) < now() - plan.turn
      or seller_account.listings_changed_at > coalesce(seller_account.reconciled_at, '-infinity')
        and coalesce(seller_account.reconciled_at, '-infinity') < now() - interval '5 minutes'
    )
  order by seller_account.reconciled_at nulls first
  limit :limit
  for update of seller_account skip locked
) due
where account.user_id = due.user_id and account.uid = due.uid
returning account.user_id, account.uid as seller_account_uid, account.platform

-- name: claimShopsWithUnpaid
-- type platform: OAuthSlug
-- Claims shops whose unpaid purchases were last read a minute ago. With many shops the interval is longer:
-- `seconds_per_shop` for each connected shop of the platform. Workers claim different shops.
update seller_account account set unpaid_read_at = now()
from (
  select seller_account.user_id, seller_account.uid
  from seller_account
  join (
    select given.platform, greatest(55, given.seconds * count(*)) * interval '1 second' as turn
    from unnest(:platforms::text[], :seconds_per_shop::float8[]) as given (platform, seconds)
    join seller_account connected on connected.platform = given.platform and connected.status = 'connected'
    group by given.platform, given.seconds
  ) plan on plan.platform = seller_account.platform
  where seller_account.status = 'connected'
    and coalesce(seller_account.unpaid_read_at, '-infinity') < now() - plan.turn
  order by seller_account.unpaid_read_at nulls first
  limit :limit
  for update of seller_account skip locked
) due
where account.user_id = due.user_id and account.uid = due.uid
returning account.user_id, account.uid as seller_account_uid, account.platform

-- name: endOutside
-- Records that a listing was ended on the platform itself. No row if it changed meanwhile.
with ended as (
  update channel_listing listing set state = 'removed', extra = false, observed_at = now(), updated_at = now()
  where listing.user_id = :user_id and listing.seller_account_uid = :seller_account_uid
    and listing.listing_id = :listing_id and listing.item_uid = :item_uid
    and listing.state in ('available', 'reserved') and listing.updated_at < now() - interval '15 minutes'
    and not exists (
      select from listing_operation operation
      where operation.user_id = :user_id and operation.item_uid = listing.item_uid and operation.state = 'open'
        and operation.seller_account_uid = listing.seller_account_uid
        and not (
          operation.kind = 'update' and operation.lease_until is null
          and operation.next_attempt_at > now() + interval '6 minutes'
        )
    )
  returning listing.item_uid
), resolved as (
  update alert set state = 'resolved', finished_at = now()
  from ended
  where alert.user_id = :user_id and alert.kind = 'update_refused' and coalesce(alert.item_uid, '') = ended.item_uid
    and alert.reference = :listing_id and alert.state = 'open'
)
select item_uid from ended

-- name: findLiveOfShop
-- Returns those of a shop's listings that are live here and have no open operation. A change that the platform takes
-- only later, in more than the longest wait between two tries, hides nothing.
select listing.listing_id, listing.item_uid, listing.url, listing.price_minor, listing.currency,
  listing.state = 'reserved' and item.state in ('available', 'withdrawn') as "is_left_over!"
from channel_listing listing
join inventory_item item on item.user_id = listing.user_id and item.uid = listing.item_uid
where listing.user_id = :user_id and listing.seller_account_uid = :seller_account_uid
  and listing.listing_id = any(:listing_ids::text[]) and listing.state in ('available', 'reserved')
  and not exists (
    select from listing_operation operation
    where operation.user_id = :user_id and operation.item_uid = listing.item_uid and operation.state = 'open'
      and operation.seller_account_uid = listing.seller_account_uid
      and not (
        operation.kind = 'update' and operation.lease_until is null
        and operation.next_attempt_at > now() + interval '6 minutes'
      )
  )
order by listing.listing_id

-- name: findRelisted
-- Returns those of a shop's listings that are live there and ended here. An import counts by what was known when it
-- began. Listings that changed within the last 15 minutes, or are being changed, are left out: the platform may lag
-- behind. (The extension reads the page that buyers see.) A listing that was imported as sold, with an unknown buyer,
-- is a question for the seller.
select listing.listing_id, listing.item_uid, listing.url
from channel_listing listing
join inventory_item item on item.user_id = listing.user_id and item.uid = listing.item_uid
-- Citus refuses a join with null, which it simplifies to one without a condition.
left join import_job job on job.user_id = listing.user_id and job.uid = coalesce(:job_uid, '')
where listing.user_id = :user_id and listing.seller_account_uid = :seller_account_uid
  and listing.listing_id = any(:listing_ids::text[]) and listing.state in ('removed', 'sold')
  and listing.updated_at < case job.source
    when 'extension' then coalesce(job.read_since, job.created_at)
    else coalesce(job.created_at, now()) - interval '15 minutes'
  end
  and not exists (
    select from listing_operation operation
    where operation.user_id = :user_id and operation.item_uid = listing.item_uid and operation.state = 'open'
      and operation.seller_account_uid = listing.seller_account_uid
      and not (
        operation.kind = 'update' and operation.lease_until is null
        and operation.next_attempt_at > now() + interval '6 minutes'
      )
  )
  and (
    listing.state = 'removed' or item.state <> 'sold' or exists (
      select from order_line line
      where line.user_id = :user_id and line.item_uid = item.uid and line.state = 'sold'
    )
  )
order by listing.observed_at, listing.listing_id

-- name: holdsAnyListing
-- Returns a row if any listing of a shop is known.
select true as is_there
from channel_listing
where user_id = :user_id and seller_account_uid = :seller_account_uid
limit 1

-- name: isWithdrawnBySeller
-- Returns whether the seller withdrew an item here. An item that came in with a listing that was not live was
-- withdrawn by nobody.
select actor = 'user' as "by_seller!"
from inventory_history
where user_id = :user_id and item_uid = :item_uid and to_state = 'withdrawn'
  and from_state is distinct from to_state
order by version desc
limit 1

-- name: listLiveIds
-- Returns the next ids of a shop's live listings, except those that changed just now: the platform may lag behind.
select listing_id
from channel_listing
where user_id = :user_id and seller_account_uid = :seller_account_uid and listing_id > :after
  and state in ('available', 'reserved') and updated_at < :asked_at::timestamptz - interval '15 minutes'
order by listing_id
limit :limit

-- name: recordListingsChanged
-- Records that a marketplace reported changed listings of a shop.
update seller_account set listings_changed_at = now()
where user_id = :user_id and uid = :seller_account_uid

-- name: recordStillEnded
-- Records that a listing was checked and is still ended, so that it is checked last the next time.
update channel_listing set observed_at = now()
where user_id = :user_id and seller_account_uid = :seller_account_uid and listing_id = :listing_id

-- name: recordVacation
-- Records whether a shop is on vacation.
update seller_account set on_vacation = :on_vacation
where user_id = :user_id and uid = :seller_account_uid and on_vacation <> :on_vacation

-- name: reopenListing
-- Sets an ended listing to live, as an extra one beside another live listing of the item on the platform.
update channel_listing listing set state = 'available', observed_at = now(), updated_at = now(),
  extra = exists (
    select from channel_listing other
    where other.user_id = :user_id and other.item_uid = listing.item_uid and other.platform = listing.platform
      and other.state in ('available', 'reserved') and not other.extra
  )
where listing.user_id = :user_id and listing.seller_account_uid = :seller_account_uid
  and listing.listing_id = :listing_id
