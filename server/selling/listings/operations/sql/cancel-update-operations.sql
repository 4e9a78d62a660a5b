-- Cancels updates of listings that are ended, and resolves alerts about refused ones and about listings that failed. A
-- worker in progress loses its lease.
with resolved as (
  update alert set state = 'resolved', finished_at = now()
  where user_id = ${user_id} and kind in ('update_refused', 'listing_refused') and coalesce(item_uid, '') = ${item_uid} and state = 'open'
    and (${platforms}::text[] is null or platform = any(${platforms}::text[]))
)
update listing_operation set
  state = 'cancelled', finished_at = now(), lease_epoch = lease_epoch + 1, lease_until = null
where user_id = ${user_id} and item_uid = ${item_uid} and kind in ('update', 'reprice') and state = 'open'
  and (${platforms}::text[] is null or platform = any(${platforms}::text[]))
