-- A listing is down: nobody has to look any more.
update alarm set state = 'resolved', finished_at = now()
where user_id = ${user_id} and kind = 'delist_overdue' and item_uid = ${item_uid} and reference = ${listing_id}
  and state = 'open'
