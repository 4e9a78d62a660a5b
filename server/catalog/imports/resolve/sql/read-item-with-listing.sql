-- Returns an import item as the API shows it, with its listing and the conflicting item. Says whether the conflict may
-- still be resolved.
select
  jsonb_build_object(
    'id', item.uid, 'external_listing_id', external_listing_id, 'external_sku', external_sku, 'status', item.status,
    'listing_title', listing_title, 'listing_price', listing_price, 'conflict_type', conflict_type,
    'conflict_details', conflict_details, 'error_message', item.error_message, 'error_code', error_code,
    'resolution', resolution, 'created_inventory_item_uid', created_inventory_item_uid, 'match',
    case when match_certainty is not null then jsonb_build_object('certainty', match_certainty, 'reasons', match_reasons) end
  ) as item,
  processed_at, found, observed_at, item.status = 'conflict' or is_repeated_skip as is_open, job.platform,
  job.seller_account_uid, conflict_item_uid as existing_inventory_item_uid
from import_item item
join import_job job on job.user_id = item.user_id and job.uid = item.job_uid
where item.user_id = ${user_id} and item.job_uid = ${job_uid} and item.uid = ${item_uid}
