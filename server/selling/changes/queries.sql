-- name: findChange
-- Returns the change that a subject was last part of, if it is not undone.
select change_uid
from undo_step
where user_id = :user_id and subject_uid = :subject_uid and undone_at is null
order by at desc
limit 1

-- name: insertSteps
-- Records what an act changed.
insert into undo_step (
  user_id, change_uid, subject_uid, kind, item_uid, job_uid, seller_account_uid, platform, title, before, after
)
select :user_id, change_uid, subject_uid, kind, item_uid, job_uid, seller_account_uid, platform, title, before, after
from json_to_recordset(:rows::json) as step (
  change_uid text, subject_uid text, kind text, item_uid text, job_uid text, seller_account_uid text, platform text,
  title text, before jsonb, after jsonb
)
on conflict do nothing
