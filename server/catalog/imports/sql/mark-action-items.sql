-- Gives an action the items it is about, once: those that are not final (imported and skipped stay what they are) and
-- match its filter, in order, at most its limit. What comes later is not its business. A failed item that is about the whole
-- import is no listing that could be read again.
with chosen as (
  select uid
  from import_item
  where user_id = ${user_id} and job_uid = ${job_uid} and status in ('pending', 'failed', 'conflict')
    and (${status}::text is null or status = ${status}) and external_listing_id not like 'shop:%'
  order by uid
  limit ${limit}
  for update
), running as (
  update import_action set state = 'running' where user_id = ${user_id} and job_uid = ${job_uid} and uid = ${action_uid}
)
update import_item item set action_uid = ${action_uid}
from chosen
where item.user_id = ${user_id} and item.job_uid = ${job_uid} and item.uid = chosen.uid
