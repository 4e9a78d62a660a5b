-- Shows an ignored difference again. No row if it is gone, or has another value.
update listing_difference set state = 'open'
where user_id = ${user_id} and uid = ${subject_uid} and state = 'ignored'
returning uid
