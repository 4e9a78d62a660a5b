-- import type { Change } from '#shared/contract/catalog/changes.ts'

-- name: countChanges
-- Returns the number of a user's changes of the last 30 days.
select count(distinct change_uid)::integer as "count!"
from undo_step
where user_id = :user_id and at > now() - interval '30 days'

-- name: findSteps
-- type before: object
-- type after: object
-- Returns the steps of a change of the last 30 days, the last one first, so that what depends on another goes first.
select change_uid, subject_uid, kind, item_uid, job_uid, seller_account_uid, platform, title, before, after, at, undone_at
from undo_step
where user_id = :user_id and change_uid = :change_uid and at > now() - interval '30 days'
order by at desc, subject_uid desc

-- name: listChanges
-- type marketplace: Change['marketplace']
-- Returns a page of a user's changes of the last 30 days, newest first, or one of them.
with change as (
  select change_uid, kind, min(at) as at,
    case when kind = 'withdraw' then count(distinct item_uid) else count(*) end::integer as steps,
    bool_or(undone_at is null) as can_undo, max(undone_at) as undone_at, (array_agg(title order by subject_uid))[1] as title,
    (array_agg(item_uid order by subject_uid))[1] as item_uid, (array_agg(platform order by subject_uid))[1] as platform,
    (array_agg(job_uid order by subject_uid))[1] as job_uid
  from undo_step
  where user_id = :user_id and at > now() - interval '30 days'
    and (:change_uid?::text is null or change_uid = :change_uid)
  group by change_uid, kind
)
select change.change_uid as uid, change.kind,
  case when change.kind = 'import_job' then (
    select count(*)::integer
    from import_item made
    where made.user_id = :user_id and made.job_uid = change.job_uid and made.status = 'imported' and made.resolution is null
  ) else change.steps end as "count!",
  left(coalesce(item.title, change.title), 1000) as "title!", item.images[1] as image,
  case when change.steps = 1 then item.uid end as inventory_item_uid, change.platform as marketplace, change.at as "at!",
  change.at + interval '30 days' as "expires_at!", change.undone_at, change.can_undo as "can_undo!"
from change
left join inventory_item item on item.user_id = :user_id and item.uid = change.item_uid
order by change.at desc, change.change_uid desc
limit :limit offset :offset

-- name: lockSteps
-- type before: object
-- type after: object
-- Locks the steps of a change that are not undone yet, and returns them.
select subject_uid, item_uid, before, after
from undo_step
where user_id = :user_id and change_uid = :change_uid and subject_uid = any(:subject_uids::text[]) and undone_at is null
order by subject_uid
for update

-- name: lockStep
-- Locks a step that is not undone yet. No row where it is.
select 1
from undo_step
where user_id = :user_id and change_uid = :change_uid and subject_uid = :subject_uid and undone_at is null
for update

-- name: markAllUndone
-- Records that steps of a change were undone.
update undo_step set undone_at = now()
where user_id = :user_id and change_uid = :change_uid and subject_uid = any(:subject_uids::text[])

-- name: markUndone
-- Records that a step was undone.
update undo_step set undone_at = now()
where user_id = :user_id and change_uid = :change_uid and subject_uid = :subject_uid
