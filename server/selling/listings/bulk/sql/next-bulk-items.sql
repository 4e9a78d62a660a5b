-- Returns the next rows of a bulk job that are not begun, on the platforms that have room. Rows whose listing is being
-- ended elsewhere wait.
select next.position, next.item_uid, asked.platform, next.options
from unnest(${platforms}::text[]) as asked (platform)
cross join lateral (
  select count(*) as some from bulk_item item
  where item.user_id = ${user_id} and item.job_uid = ${uid} and item.platform = asked.platform
    and item.status = 'pending' and item.operation_id is not null
) begun
cross join lateral (
  select item.position, item.item_uid, item.options
  from bulk_item item
  where item.user_id = ${user_id} and item.job_uid = ${uid} and item.platform = asked.platform
    and item.status = 'pending' and item.operation_id is null
    and not exists (
      select from listing_operation operation
      where operation.user_id = item.user_id and operation.item_uid = item.item_uid and operation.platform = item.platform
        and operation.kind = 'list' and operation.state = 'open' and operation.cancel_requested_at is not null
    )
  order by item.position
  limit greatest(${room} - begun.some, 0)
) next
order by next.position
limit ${count}
