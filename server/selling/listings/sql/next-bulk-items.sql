-- The next rows of a bulk job that are not begun, on the platforms that have room for them; what is just being taken back
-- elsewhere waits.
select next.position, next.item_uid, asked.platform
from unnest(${platforms}::text[]) as asked (platform)
cross join lateral (
  select count(*) as some from bulk_item item
  where item.user_id = ${user_id} and item.job_uid = ${uid} and item.platform = asked.platform
    and item.status = 'pending' and item.intent_id is not null
) begun
cross join lateral (
  select item.position, item.item_uid
  from bulk_item item
  where item.user_id = ${user_id} and item.job_uid = ${uid} and item.platform = asked.platform
    and item.status = 'pending' and item.intent_id is null
    and not exists (
      select from listing_intent intent
      where intent.user_id = item.user_id and intent.item_uid = item.item_uid and intent.platform = item.platform
        and intent.kind = 'list' and intent.state = 'open' and intent.cancel_requested_at is not null
    )
  order by item.position
  limit greatest(${room} - begun.some, 0)
) next
order by next.position
limit ${count}
