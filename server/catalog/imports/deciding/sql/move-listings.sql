-- Moves listings from another of the user's shops on the platform to the shop in which they were read. Their tasks and
-- observed orders move too. Locks their items first, as a sale does.
with elsewhere as materialized (
  select distinct on (listing.listing_id) listing.listing_id, listing.seller_account_uid, listing.item_uid
  from seller_account shop
  join channel_listing listing on listing.user_id = shop.user_id and listing.seller_account_uid = shop.uid
    and listing.listing_id = any(${listing_ids}::text[])
  where shop.user_id = ${user_id} and shop.platform = ${platform} and shop.uid <> ${seller_account_uid}
    and not exists (
      select from channel_listing here
      where here.user_id = listing.user_id and here.seller_account_uid = ${seller_account_uid}
        and here.listing_id = listing.listing_id
    )
  order by listing.listing_id, listing.created_at
), held as materialized (
  select item.uid
  from inventory_item item
  where item.user_id = ${user_id} and item.uid in (select item_uid from elsewhere)
  order by item.uid
  for no key update
), moved as (
  update channel_listing listing set seller_account_uid = ${seller_account_uid}, updated_at = now()
  from elsewhere
  join held on held.uid = elsewhere.item_uid
  where listing.user_id = ${user_id} and listing.seller_account_uid = elsewhere.seller_account_uid
    and listing.listing_id = elsewhere.listing_id
  returning listing.listing_id, listing.item_uid
), tasks as (
  update extension_task task set seller_account_uid = ${seller_account_uid}
  from moved
  where task.user_id = ${user_id} and task.platform = ${platform} and task.kind = 'delist'
    and task.listing_id = moved.listing_id and task.status = 'open'
), orders as (
  update marketplace_order seen set seller_account_uid = ${seller_account_uid}
  from moved
  where seen.user_id = ${user_id} and seen.platform = ${platform} and seen.source = 'scraped'
    and seen.external_order_id = 'listing-' || moved.listing_id
)
update inventory_item set updated_at = now()
where user_id = ${user_id} and uid in (select item_uid from moved)
