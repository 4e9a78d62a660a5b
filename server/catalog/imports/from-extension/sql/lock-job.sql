-- Returns an import by the extension and locks it, so that its batches are taken one after the other.
select user_id, uid, seller_account_uid, platform, source, status, found_so_far, expected_total
from import_job
where user_id = ${user_id} and uid = ${job_uid}
for no key update
