-- Stores how a conflict was resolved. The conflict itself stays readable.
update import_item set
  status = ${status}, resolution = ${resolution}, answered_sku = ${answered_sku},
  created_inventory_item_uid = ${inventory_item_uid}, processed_at = now(),
  conflict_type = ${conflict_type}, conflict_details = ${conflict_details}, action_uid = null, is_repeated_skip = false
where user_id = ${user_id} and job_uid = ${job_uid} and uid = ${item_uid}
