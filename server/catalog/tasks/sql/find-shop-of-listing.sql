-- Returns the shop of a user's listing on a platform.
select listing.seller_account_uid as uid
from seller_account shop
join channel_listing listing on listing.user_id = shop.user_id and listing.seller_account_uid = shop.uid
  and listing.listing_id = ${listing_id}
where shop.user_id = ${user_id} and shop.platform = ${platform}
order by listing.created_at
limit 1
