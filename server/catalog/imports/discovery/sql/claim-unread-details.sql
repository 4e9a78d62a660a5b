-- Claims listings whose details are still to be read, a few per shop. Workers claim different ones. A failed
-- reading is due again in an hour.
update channel_listing listing set details_due_at = now() + interval '1 hour'
from (
  select distinct user_id, seller_account_uid from channel_listing where details_due_at <= now()
) shop, lateral (
  select user_id, seller_account_uid, listing_id from channel_listing
  where user_id = shop.user_id and seller_account_uid = shop.seller_account_uid and details_due_at <= now()
    and platform = any(${platforms}::text[])
  order by details_due_at
  limit ${per_shop}
  for update skip locked
) due
where listing.user_id = due.user_id and listing.seller_account_uid = due.seller_account_uid
  and listing.listing_id = due.listing_id
returning listing.user_id, listing.seller_account_uid, listing.listing_id
