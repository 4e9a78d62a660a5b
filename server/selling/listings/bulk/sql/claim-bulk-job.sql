-- Claims an open bulk job with something to do, until the transaction ends: rows to begin on a platform that has room,
-- or its completion. A job that only waits, say for its shop, does not block others. Each condition stops at its first
-- row, since the query runs whenever anything ends.
select job.user_id, job.uid, job.action, job.price, job.price_change, job.seller_account_uid, job.traceparent
from bulk_job job
where job.status in ('pending', 'in_progress')
  and (
    (
      select item.position from bulk_item item
      where item.user_id = job.user_id and item.job_uid = job.uid and item.status = 'pending'
      order by item.position
      limit 1
    ) is null
    or exists (
      select from unnest(${platforms}::text[]) as asked (platform)
      where (
        select count(*) from bulk_item item
        where item.user_id = job.user_id and item.job_uid = job.uid and item.platform = asked.platform
          and item.status = 'pending' and item.operation_id is not null
      ) < ${room}
      and (
        select item.position from bulk_item item
        where item.user_id = job.user_id and item.job_uid = job.uid and item.platform = asked.platform
          and item.status = 'pending' and item.operation_id is null
          and not exists (
            select from listing_operation operation
            where operation.user_id = item.user_id and operation.item_uid = item.item_uid and operation.platform = item.platform
              and operation.kind = 'list' and operation.state = 'open' and operation.cancel_requested_at is not null
          )
        order by item.position
        limit 1
      ) is not null
    )
  )
order by job.created_at
limit 1
for update of job skip locked
