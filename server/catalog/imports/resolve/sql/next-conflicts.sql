-- Returns the next open conflicts of one certainty, of all imports or of one.
select job_uid, uid as item_uid
from import_item
where user_id = ${user_id} and status = 'conflict' and uid > ${after}
  and coalesce(match_certainty, 'other') = ${certainty} and (${job_uid}::text is null or job_uid = ${job_uid})
order by uid
limit ${limit}
