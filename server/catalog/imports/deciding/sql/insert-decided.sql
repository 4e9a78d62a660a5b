-- Inserts import items that are decided when they are found.
insert into import_item (
  user_id, job_uid, uid, external_listing_id, found, observed_at, external_sku, listing_title, listing_price, status,
  conflict_type, conflict_details, conflict_item_uid, error_code, error_message, resolution, created_inventory_item_uid,
  is_repeated_skip, match_certainty, match_reasons, processed_at
)
select ${user_id}, ${job_uid}, uid, external_listing_id, found, ${observed_at}, external_sku, listing_title, listing_price,
  status, conflict_type, conflict_details, conflict_item_uid, error_code, error_message, resolution, item_uid,
  coalesce(is_repeated_skip, false), match_certainty, match_reasons, now()
from json_to_recordset(${rows}::json) as row (
  uid text, external_listing_id text, found jsonb, external_sku text, listing_title text, listing_price text,
  status text, conflict_type text, conflict_details text, conflict_item_uid text, error_code text, error_message text,
  resolution text, item_uid text, is_repeated_skip boolean, match_certainty text, match_reasons text[]
)
