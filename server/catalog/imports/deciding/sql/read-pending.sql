-- Returns the next undecided items of a job in the order of discovery.
select uid, found, observed_at
from import_item
where user_id = ${user_id} and job_uid = ${uid} and status = 'pending'
order by uid
limit ${limit}
