-- The next items of a job that nobody has decided, in the order of their discovery.
select uid, found, observed_at
from import_item
where user_id = ${user_id} and job_uid = ${uid} and status = 'pending'
order by uid
limit ${limit}
