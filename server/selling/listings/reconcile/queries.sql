-- import type { NewListing } from './join-relisting.ts'
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

-- name: alertUnclear
-- Asks which item a listing sells that the marketplace relisted under a new id. It is asked once.
insert into alert (user_id, uid, kind, platform, reference, message, data)
select :user_id, :uid, 'relist_unclear', :platform, :listing_id, :message, :data::jsonb
where not exists (
  select from alert earlier
  where earlier.user_id = :user_id and earlier.kind = 'relist_unclear' and earlier.reference = :listing_id
)
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

-- name: endReplaced
-- Records that a listing has ended that the platform replaced by another.
update channel_listing set state = 'removed', extra = false, observed_at = now(), updated_at = now()
where user_id = :user_id and seller_account_uid = :seller_account_uid and listing_id = :listing_id
  and state in ('available', 'reserved')

-- name: findEarlier
-- type images: string[]
-- Returns the listings of a shop that a new one may replace, the newest of each item: the one with a named id, or else
-- those with the SKU or all words of the title. `bought_by`: the line of an order by which a buyer has the item.
select distinct on (item.uid) item.uid as item_uid, listing.listing_id, coalesce(listing.listing_id = :relist_of?, false) as "is_parent!",
  listing.state in ('available', 'reserved') as "is_live!", coalesce(listing.sku, item.sku) as sku, listing.price_minor,
  listing.currency, item.title, item.images, buyer.external_order_id as "bought_by?", buyer.source as "bought_source?",
  buyer.external_line_id as "bought_line?"
from channel_listing listing
join inventory_item item on item.user_id = listing.user_id and item.uid = listing.item_uid and item.redirect_uid is null
cross join lateral (
  select string_agg('''' || word || '''', ' & ')::tsquery as words from unnest(search_words(:title)) word
) sought
left join lateral (
  select ordered.external_order_id, ordered.source, line.external_line_id
  from order_line line
  join marketplace_order ordered on ordered.user_id = line.user_id and ordered.uid = line.order_uid
  where line.user_id = :user_id and line.item_uid = item.uid and line.listing_id = listing.listing_id
    and line.state in ('held', 'sold') and ordered.seller_account_uid = :seller_account_uid
  limit 1
) buyer on true
where listing.user_id = :user_id and listing.seller_account_uid = :seller_account_uid and (
  listing.listing_id = :relist_of
  or (
    listing.updated_at > now() - interval '120 days'
    and (item.sku = :sku? or listing.sku = :sku or item.search_words @@ sought.words)
    and not exists (
      select from channel_listing parent
      where parent.user_id = :user_id and parent.seller_account_uid = :seller_account_uid and parent.listing_id = :relist_of
    )
  )
)
order by item.uid, listing.listing_id = :relist_of desc nulls last, listing.updated_at desc
limit 6

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
left join import_job job on job.user_id = listing.user_id and job.uid = coalesce(:job_uid?, '')
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

-- name: findUnclear
-- type platform: OAuthSlug
-- type relisting: NewListing
-- Returns the question about a listing, with what was read of it.
select platform as "platform!", data ->> 'seller_account_uid' as "seller_account_uid!", data -> 'relisting' as "relisting!", state,
  data ->> 'answer' as answer
from alert
where user_id = :user_id and uid = :uid and kind = 'relist_unclear'
for update

-- name: findUnread
-- Returns those of the given listings of a shop that no item has and that were not read yet, the newest first. `began`: the
-- time of each; those from before the first listing of the shop was known are left to imports. `with_ordered`: also what
-- orders without an item name.
with given as (
  select listing_id, began from unnest(:listing_ids::text[], :began::timestamptz[]) as live (listing_id, began)
  union all
  select line.listing_id, null
  from order_line line
  join marketplace_order ordered on ordered.user_id = line.user_id and ordered.uid = line.order_uid
  where :with_ordered::boolean and line.user_id = :user_id and line.state = 'unmatched' and line.listing_id <> ''
    and line.recorded_at > now() - interval '30 days'
    and ordered.seller_account_uid = :seller_account_uid and ordered.source = 'platform'
)
select given.listing_id as "listing_id!"
from given
join seller_account shop on shop.user_id = :user_id and shop.uid = :seller_account_uid
where given.listing_id <> all(shop.read_listing_ids)
  and not exists (
    select from channel_listing known
    where known.user_id = :user_id and known.seller_account_uid = :seller_account_uid and known.listing_id = given.listing_id
  )
  and (given.began is null or given.began > (
    select min(first.created_at) - interval '1 day' from channel_listing first
    where first.user_id = :user_id and first.seller_account_uid = :seller_account_uid
  ))
group by given.listing_id
order by max(given.began) desc nulls first, given.listing_id desc
limit :limit

-- name: forgetEnded
-- Forgets listings that were read and are no longer live, and ends the questions about them and about those that have got
-- an item.
with shop as (
  update seller_account set read_listing_ids = array(
    select id from unnest(read_listing_ids) id
    where id = any(:live::text[]) or exists (
      select from order_line line where line.user_id = :user_id and line.listing_id = id and line.state = 'unmatched'
    )
  )
  where user_id = :user_id and uid = :seller_account_uid and not read_listing_ids <@ :live::text[]
)
update alert set state = 'resolved', finished_at = now()
where user_id = :user_id and kind = 'relist_unclear' and state = 'open'
  and data ->> 'seller_account_uid' = :seller_account_uid and (
    reference <> all(:live::text[]) or exists (
      select from channel_listing known
      where known.user_id = :user_id and known.seller_account_uid = :seller_account_uid
        and known.listing_id = alert.reference
    )
  )

-- name: holdsAnyListing
-- Returns a row if any listing of a shop is known.
select true as is_there
from channel_listing
where user_id = :user_id and seller_account_uid = :seller_account_uid
limit 1

-- name: insertRelisted
-- Stores a listing that replaces an earlier one of an item, and says so in the item's history. No row if it is known.
with inserted as (
  insert into channel_listing (
    user_id, seller_account_uid, listing_id, item_uid, platform, url, state, extra, sku, price_minor, currency, listed_at,
    observed_at, terms
  )
  select :user_id, :seller_account_uid, :listing_id, item.uid, :platform, :url, :state,
    :state = 'available' and exists (
      select from channel_listing other
      where other.user_id = :user_id and other.item_uid = item.uid and other.platform = :platform
        and other.state in ('available', 'reserved')
    ),
    :sku?, :price_minor, :currency, :listed_at?, now(), :terms::jsonb
  from inventory_item item
  where item.user_id = :user_id and item.uid = :item_uid and item.redirect_uid is null
  on conflict do nothing
  returning item_uid
), changed as (
  update inventory_item item set version = version + 1, updated_at = now()
  from inserted
  where item.user_id = :user_id and item.uid = inserted.item_uid
  returning item.uid, item.version, item.state
), told as (
  insert into inventory_history (user_id, item_uid, version, actor, from_state, to_state, reason, reference)
  select :user_id, uid, version, 'platform', state, state, :reason, :listing_id from changed
)
select true as "is_new!" from inserted

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

-- name: recordRead
-- Records that an unknown listing was read.
update seller_account set read_listing_ids = array_append(read_listing_ids, :listing_id)
where user_id = :user_id and uid = :seller_account_uid and :listing_id <> all(read_listing_ids)

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

-- name: resolveUnclear
-- Ends the question about a listing, with the item that the seller named.
update alert set state = 'resolved', finished_at = now(), data = data || jsonb_build_object('answer', :item_uid?::text)
where user_id = :user_id and uid = :uid and state = 'open'
