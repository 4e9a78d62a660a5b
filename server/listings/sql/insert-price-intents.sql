-- Another price for the live listings of an item; what was ordered before for one of them is no longer wanted.
with outdated as (
  update listing_intent set state = 'cancelled', finished_at = now(), lease_epoch = lease_epoch + 1, lease_until = null
  where user_id = ${user_id} and item_uid = ${item_uid} and kind = 'reprice' and state = 'open'
    and (${platforms}::text[] is null or platform = any(${platforms}::text[]))
)
insert into listing_intent (
  user_id, kind, item_uid, platform, seller_account_uid, listing_id, listing_url, external_key, price_minor, currency,
  cause
)
select listing.user_id, 'reprice', listing.item_uid, listing.platform, listing.seller_account_uid, listing.listing_id,
  listing.url,
  (
    select intent.external_key from listing_intent intent
    where intent.user_id = listing.user_id and intent.item_uid = listing.item_uid and intent.kind = 'list'
      and intent.seller_account_uid = listing.seller_account_uid and intent.listing_id = listing.listing_id
    order by intent.created_at desc
    limit 1
  ),
  ${price_minor}, ${currency}, 'user'
from channel_listing listing
where listing.user_id = ${user_id} and listing.item_uid = ${item_uid} and listing.state in ('available', 'reserved')
  and listing.platform = any(${api_platforms}) and listing.currency = ${currency}
  and (${platforms}::text[] is null or listing.platform = any(${platforms}::text[]))
returning id, platform
