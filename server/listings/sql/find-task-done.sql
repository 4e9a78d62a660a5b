-- Whether the seller has already said, since it was ordered, that a listing is down; where nobody knows which listing it
-- would be, whether they were asked.
select 1 as one from extension_task
where user_id = ${user_id} and item_uid = ${item_uid} and kind = 'delist' and platform = ${platform}
  and listing_id is not distinct from ${listing_id} and (status = 'completed' or listing_id is null)
  and coalesce(finished_at, created_at) >= (select created_at from listing_intent where user_id = ${user_id} and id = ${id})
limit 1
