-- Returns the number of a user's bulk jobs in a status.
select count(*)::integer as count from bulk_job
where user_id = ${user_id} and (${status}::text is null or status = ${status})
