-- Returns the seller's report on a listing since its end was queued: that it ended or, where the listing is unknown,
-- that they were asked. `is_last_word`: the shop is disconnected, so nobody will ever read it back. A dismissed
-- question about such a shop is asked again a day later.
select task.status = 'completed' and coalesce(shop.status = 'revoked', true) as is_last_word
from extension_task task
left join seller_account shop on shop.user_id = task.user_id and shop.uid = ${seller_account_uid}
where task.user_id = ${user_id} and task.item_uid = ${item_uid} and task.kind = 'delist' and task.platform = ${platform}
  and task.listing_id is not distinct from ${listing_id}
  -- The same condition where the listing is named, for the index.
  and (${listing_id}::text is null or task.listing_id = ${listing_id})
  and (
    task.status = 'completed'
    or task.listing_id is null and (
      task.status = 'open' or shop.status <> 'revoked' or task.finished_at > now() - interval '1 day'
    )
  )
  and coalesce(task.finished_at, task.created_at)
    >= (select created_at from listing_operation where user_id = ${user_id} and id = ${id})
order by is_last_word desc
limit 1
