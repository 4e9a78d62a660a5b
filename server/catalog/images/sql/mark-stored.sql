-- Marks an image whose files are all written. No row if it was removed meanwhile.
update image set stored_at = coalesce(stored_at, now())
where user_id = ${user_id} and uid = ${uid}
returning uid
