-- Returns the number of a user's changes of the last 30 days.
select count(distinct change_uid)::integer as count
from undo_step
where user_id = ${user_id} and at > now() - interval '30 days'
