-- Removes the seller's page from the next items of a shop. Locked in one order, as a sale locks several. Returns the
-- last listing (null: all done) and the items that changed.
with next as materialized (
  select listing_id, item_uid
  from channel_listing
  where user_id = ${user_id} and seller_account_uid = ${seller_account_uid} and listing_id > ${after}
  order by listing_id
  limit ${limit}
), held as materialized (
  select uid
  from inventory_item
  where user_id = ${user_id} and uid in (select item_uid from next) and seller_url <> ${platform_url}
  order by uid
  for no key update
), changed as (
  update inventory_item item set seller_url = ${platform_url}, version = version + 1, updated_at = now()
  from held
  where item.user_id = ${user_id} and item.uid = held.uid
  returning item.uid, item.version
)
select (select max(listing_id) from next) as reached, coalesce((select json_agg(changed) from changed), '[]') as changed
