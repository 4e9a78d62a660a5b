-- Assigns an action its items, once: items that are not final (imported or skipped) and match its filter, in order, up
-- to its limit. Later items do not join. A failed item about the whole import is no listing to read again.
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
