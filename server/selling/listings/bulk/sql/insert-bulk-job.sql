-- Inserts a bulk job with a row for every item and platform. A row that names no item of the user fails at once.
with job as (
  insert into bulk_job (user_id, uid, action, price, price_change, seller_account_uid, traceparent)
  values (${user_id}, ${uid}, ${action}, ${price}, ${price_change}, ${seller_account_uid}, ${traceparent})
  returning user_id, uid
)
insert into bulk_item (user_id, job_uid, position, item_uid, platform, options, status, error_code, error_message)
select job.user_id, job.uid, row_number() over (order by asked.position, platform.position), asked.uid, platform.slug,
  asked.options -> platform.slug,
  case when item.uid is null then 'failed' else 'pending' end,
  case when item.uid is null then 'not_found' end,
  case when item.uid is null then 'There is no such item.' end
from job
cross join rows from (jsonb_to_recordset(${items}::jsonb) as (uid text, options jsonb)) with ordinality as asked (uid, options, position)
cross join unnest(${platforms}::text[]) with ordinality as platform (slug, position)
left join inventory_item item on item.user_id = job.user_id and item.uid = asked.uid
