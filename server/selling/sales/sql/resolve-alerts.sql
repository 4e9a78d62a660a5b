-- Resolves alerts of one reference, or of an item as a whole.
update alert set state = 'resolved', finished_at = now()
where user_id = ${user_id} and kind = ${kind} and state = 'open' and coalesce(item_uid, '') = coalesce(${item_uid}, '')
  and (${reference}::text is null or reference = ${reference})
returning uid
