-- New prices of listings that come down are no longer wanted; one that is under way finds that it has lost its lease.
update listing_operation set
  state = 'cancelled', finished_at = now(), lease_epoch = lease_epoch + 1, lease_until = null
where user_id = ${user_id} and item_uid = ${item_uid} and kind = 'reprice' and state = 'open'
  and (${platforms}::text[] is null or platform = any(${platforms}::text[]))
