-- Items keep what they are, and no longer point to the seller's page there.
update inventory_item item set seller_url = ${platform_url}, version = version + 1, updated_at = now()
where item.user_id = ${user_id} and item.seller_url <> ${platform_url} and exists (
  select from channel_listing listing
  where listing.user_id = item.user_id and listing.item_uid = item.uid
    and listing.seller_account_uid = ${seller_account_uid}
)
