-- Asks the seller again about a conflict.
update import_item set
  status = 'conflict', resolution = 'pending', answered_sku = null, created_inventory_item_uid = null,
  is_repeated_skip = false, processed_at = now()
where user_id = ${user_id} and job_uid = ${job_uid} and uid = ${subject_uid}
