-- Returns the newest job of a seller account, if it ended because the connection was lost.
select states, auto_start
from (
  select status, lost_connection, states, auto_start
  from import_job
  where user_id = ${user_id} and seller_account_uid = ${seller_account_uid} and source = 'pull'
  order by created_at desc, uid desc
  limit 1
) newest
where status = 'failed' and lost_connection
