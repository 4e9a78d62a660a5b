-- Returns the change that a subject was last part of, if it is not undone.
select change_uid
from undo_step
where user_id = ${user_id} and subject_uid = ${subject_uid} and undone_at is null
order by at desc
limit 1
