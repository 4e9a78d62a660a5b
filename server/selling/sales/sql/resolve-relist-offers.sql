-- Resolves offers to list an item again.
update alert set state = 'resolved', finished_at = now()
where user_id = ${user_id} and kind = 'relist_offer' and coalesce(item_uid, '') = ${item_uid} and state = 'open'
