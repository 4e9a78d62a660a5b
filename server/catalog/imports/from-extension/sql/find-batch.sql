-- Returns the response to an earlier copy of a batch, if any.
select answer
from import_batch
where user_id = ${user_id} and job_uid = ${job_uid} and batch_id = ${batch_id}
