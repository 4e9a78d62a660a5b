-- Returns an import item as the API shows it.
select uid as id, external_listing_id, external_sku, status, listing_title, listing_price, conflict_type,
  conflict_details, error_message, error_code, resolution, created_inventory_item_uid, processed_at,
  case when match_certainty is not null then jsonb_build_object('certainty', match_certainty, 'reasons', match_reasons) end as match
from import_item
where user_id = ${user_id} and job_uid = ${job_uid} and uid = ${item_uid}
