-- Returns the steps of a change of the last 30 days, the last one first, so that what depends on another goes first.
select change_uid, subject_uid, kind, item_uid, job_uid, seller_account_uid, platform, title, before, after, at, undone_at
from undo_step
where user_id = ${user_id} and change_uid = ${change_uid} and at > now() - interval '30 days'
order by at desc, subject_uid desc
