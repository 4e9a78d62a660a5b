-- Listings of an item that are being put up are no longer wanted: their worker takes down what it made. Open tasks of
-- putting it up by hand are put aside too.
with dismissed as (
  update extension_task set status = 'dismissed', finished_at = now()
  where user_id = ${user_id} and item_uid = ${item_uid} and kind = 'list' and status = 'open'
    and (${platforms}::text[] is null or platform = any(${platforms}::text[]))
)
update listing_intent set
  cancel_requested_at = coalesce(cancel_requested_at, now()),
  priority = greatest(priority, ${priority}),
  next_attempt_at = least(next_attempt_at, now())
where user_id = ${user_id} and item_uid = ${item_uid} and kind = 'list' and state = 'open'
  and (${platforms}::text[] is null or platform = any(${platforms}::text[]))
returning platform
