-- Writes how a conflict was resolved.
update import_item set
  status = ${status}, resolution = ${resolution}, created_inventory_item_uid = ${inventory_item_uid}, processed_at = now(),
  action_uid = null
where user_id = ${user_id} and job_uid = ${job_uid} and uid = ${item_uid}
