// Made from queries.sql by `npm run queries`. Do not edit.
import { statement } from '#server/infra/db/statement.ts'
import type { PlatformSlug } from '#shared/platforms.ts'
import type { Change } from '#shared/contract/catalog/changes.ts'

/** Returns the number of a user's changes of the last 30 days. */
export const countChanges = statement<{ user_id: number }, { count: number }>(
  'catalog/changes/countChanges',
  ['user_id'],
  `select count(distinct change_uid)::integer as count
from undo_step
where user_id = $1 and at > now() - interval '30 days'`,
)

/** Returns the steps of a change of the last 30 days, the last one first, so that what depends on another goes first. */
export const findSteps = statement<{ user_id: number; change_uid: string }, { change_uid: string; subject_uid: string; kind: 'link' | 'overwrite' | 'create' | 'skip' | 'mark_sold' | 'import_job' | 'change_price' | 'adopt' | 'overwrite_listing' | 'ignore_difference' | 'take_down' | 'take_back_hold' | 'edit_items' | 'withdraw'; item_uid: string | null; job_uid: string | null; seller_account_uid: string | null; platform: PlatformSlug | null; title: string; before: object; after: object; at: string; undone_at: string | null }>(
  'catalog/changes/findSteps',
  ['user_id', 'change_uid'],
  `select change_uid, subject_uid, kind, item_uid, job_uid, seller_account_uid, platform, title, before, after, at, undone_at
from undo_step
where user_id = $1 and change_uid = $2 and at > now() - interval '30 days'
order by at desc, subject_uid desc`,
)

/** Returns a page of a user's changes of the last 30 days, newest first, or one of them. */
export const listChanges = statement<{ user_id: number; change_uid: string | null; limit: number | string; offset: number | string }, { uid: string; kind: 'link' | 'overwrite' | 'create' | 'skip' | 'mark_sold' | 'import_job' | 'change_price' | 'adopt' | 'overwrite_listing' | 'ignore_difference' | 'take_down' | 'take_back_hold' | 'edit_items' | 'withdraw'; count: number; title: string; image: string | null; inventory_item_uid: string | null; marketplace: Change['marketplace'] | null; at: string; expires_at: string; undone_at: string | null; can_undo: boolean }>(
  'catalog/changes/listChanges',
  ['user_id', 'change_uid', 'limit', 'offset'],
  `with change as (
  select change_uid, kind, min(at) as at,
    case when kind = 'withdraw' then count(distinct item_uid) else count(*) end::integer as steps,
    bool_or(undone_at is null) as can_undo, max(undone_at) as undone_at, (array_agg(title order by subject_uid))[1] as title,
    (array_agg(item_uid order by subject_uid))[1] as item_uid, (array_agg(platform order by subject_uid))[1] as platform,
    (array_agg(job_uid order by subject_uid))[1] as job_uid
  from undo_step
  where user_id = $1 and at > now() - interval '30 days'
    and ($2::text is null or change_uid = $2)
  group by change_uid, kind
)
select change.change_uid as uid, change.kind,
  case when change.kind = 'import_job' then (
    select count(*)::integer
    from import_item made
    where made.user_id = $1 and made.job_uid = change.job_uid and made.status = 'imported' and made.resolution is null
  ) else change.steps end as count,
  left(coalesce(item.title, change.title), 1000) as title, item.images[1] as image,
  case when change.steps = 1 then item.uid end as inventory_item_uid, change.platform as marketplace, change.at as at,
  change.at + interval '30 days' as expires_at, change.undone_at, change.can_undo as can_undo
from change
left join inventory_item item on item.user_id = $1 and item.uid = change.item_uid
order by change.at desc, change.change_uid desc
limit $3 offset $4`,
)

/** Locks the steps of a change that are not undone yet, and returns them. */
export const lockSteps = statement<{ user_id: number; change_uid: string; subject_uids: readonly (string | null)[] }, { subject_uid: string; item_uid: string | null; before: object; after: object }>(
  'catalog/changes/lockSteps',
  ['user_id', 'change_uid', 'subject_uids'],
  `select subject_uid, item_uid, before, after
from undo_step
where user_id = $1 and change_uid = $2 and subject_uid = any($3::text[]) and undone_at is null
order by subject_uid
for update`,
)

/** Locks a step that is not undone yet. No row where it is. */
export const lockStep = statement<{ user_id: number; change_uid: string; subject_uid: string }, { "?column?": number | null }>(
  'catalog/changes/lockStep',
  ['user_id', 'change_uid', 'subject_uid'],
  `select 1
from undo_step
where user_id = $1 and change_uid = $2 and subject_uid = $3 and undone_at is null
for update`,
)

/** Records that steps of a change were undone. */
export const markAllUndone = statement<{ user_id: number; change_uid: string; subject_uids: readonly (string | null)[] }, void>(
  'catalog/changes/markAllUndone',
  ['user_id', 'change_uid', 'subject_uids'],
  `update undo_step set undone_at = now()
where user_id = $1 and change_uid = $2 and subject_uid = any($3::text[])`,
)

/** Records that a step was undone. */
export const markUndone = statement<{ user_id: number; change_uid: string; subject_uid: string }, void>(
  'catalog/changes/markUndone',
  ['user_id', 'change_uid', 'subject_uid'],
  `update undo_step set undone_at = now()
where user_id = $1 and change_uid = $2 and subject_uid = $3`,
)
