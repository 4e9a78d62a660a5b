-- Locks a step that is not undone yet. No row where it is.
select 1
from undo_step
where user_id = ${user_id} and change_uid = ${change_uid} and subject_uid = ${subject_uid} and undone_at is null
for update
