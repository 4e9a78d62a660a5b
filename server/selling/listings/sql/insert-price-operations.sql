-- Inserts price changes for the live listings of an item, and for one that is being published. Older price changes are
-- cancelled. One in progress ends first, so that it does not arrive last. `prices`: of platforms with another price.
with outdated as (
  update listing_operation set
    cancel_requested_at = now(),
    state = case when lease_until > now() then state else 'cancelled' end,
    finished_at = case when lease_until > now() then null else now() end,
    lease_epoch = case when lease_until > now() then lease_epoch else lease_epoch + 1 end
  where user_id = ${user_id} and item_uid = ${item_uid} and kind = 'reprice' and state = 'open'
    and (${platforms}::text[] is null or platform = any(${platforms}::text[]))
), standing as (
  select user_id, item_uid, platform, seller_account_uid, listing_id, url
  from channel_listing
  where state in ('available', 'reserved') and currency = ${currency}
  union all
  -- The listing is unknown until it is published. It is looked up then.
  select user_id, item_uid, platform, seller_account_uid, null, null
  from listing_operation
  where kind = 'list' and state = 'open' and accepted_at is null and cancel_requested_at is null
    and currency = ${currency}
)
insert into listing_operation (
  user_id, kind, item_uid, platform, seller_account_uid, listing_id, listing_url, external_key, price_minor, currency,
  cause
)
select listing.user_id, 'reprice', listing.item_uid, listing.platform, listing.seller_account_uid, listing.listing_id,
  listing.url,
  (
    select operation.external_key from listing_operation operation
    where operation.user_id = listing.user_id and operation.item_uid = listing.item_uid and operation.kind = 'list'
      and operation.seller_account_uid = listing.seller_account_uid and operation.listing_id = listing.listing_id
    order by operation.created_at desc
    limit 1
  ),
  coalesce((${prices}::jsonb ->> listing.platform)::bigint, ${price_minor}), ${currency}, 'user'
from standing listing
where listing.user_id = ${user_id} and listing.item_uid = ${item_uid} and listing.platform = any(${api_platforms})
  and (${platforms}::text[] is null or listing.platform = any(${platforms}::text[]))
returning id, platform
