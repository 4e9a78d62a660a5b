-- Returns the number of a bulk job's rows in a status.
select count(*)::integer as count from bulk_item
where user_id = ${user_id} and job_uid = ${uid} and (${status}::text is null or status = ${status})
