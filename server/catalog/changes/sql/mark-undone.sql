-- Records that a step was undone.
update undo_step set undone_at = now()
where user_id = ${user_id} and change_uid = ${change_uid} and subject_uid = ${subject_uid}
