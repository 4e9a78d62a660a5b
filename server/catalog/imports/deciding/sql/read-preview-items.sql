-- Returns the next items of a preview in the order of discovery.
select uid, found, observed_at, status
from import_item
where user_id = ${user_id} and job_uid = ${job_uid} and (${status}::text is null or status = ${status})
  and uid > ${after}
order by uid
limit ${limit}
