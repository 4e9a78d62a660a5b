-- Stores the decisions about import items.
update import_item item set
  status = decided.status,
  conflict_type = decided.conflict_type,
  conflict_details = decided.conflict_details,
  conflict_item_uid = decided.conflict_item_uid,
  match_certainty = decided.match_certainty,
  match_reasons = decided.match_reasons,
  error_code = decided.error_code,
  error_message = decided.error_message,
  resolution = decided.resolution,
  is_repeated_skip = coalesce(decided.is_repeated_skip, false),
  created_inventory_item_uid = decided.item_uid,
  processed_at = now(),
  action_uid = null
from json_to_recordset(${rows}::json) as decided (
  uid text, status text, conflict_type text, conflict_details text, conflict_item_uid text, error_code text,
  error_message text, resolution text, item_uid text, is_repeated_skip boolean, match_certainty text, match_reasons text[]
)
where item.user_id = ${user_id} and item.job_uid = ${job_uid} and item.uid = decided.uid
