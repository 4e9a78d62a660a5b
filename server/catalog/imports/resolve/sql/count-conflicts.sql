-- Returns the number of open conflicts of all imports, or of one, by certainty.
select count(*) filter (where match_certainty = 'certain')::integer as certain,
  count(*) filter (where match_certainty = 'likely')::integer as likely,
  count(*) filter (where match_certainty = 'unsure')::integer as unsure,
  count(*) filter (where match_certainty is null)::integer as other
from import_item
where user_id = ${user_id} and status = 'conflict' and (${job_uid}::text is null or job_uid = ${job_uid})
