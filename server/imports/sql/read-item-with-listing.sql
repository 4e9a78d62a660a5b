-- An import item as the wire shows it, with the listing it was read from and the item it is in conflict with.
select
  jsonb_build_object(
    'id', uid, 'external_listing_id', external_listing_id, 'external_sku', external_sku, 'status', status,
    'listing_title', listing_title, 'listing_price', listing_price, 'conflict_type', conflict_type,
    'conflict_details', conflict_details, 'error_message', error_message, 'error_code', error_code,
    'resolution', resolution, 'created_inventory_item_uid', created_inventory_item_uid
  ) as item,
  processed_at, found, conflict_item_uid as existing_inventory_item_uid
from import_item
where user_id = ${user_id} and job_uid = ${job_uid} and uid = ${item_uid}
