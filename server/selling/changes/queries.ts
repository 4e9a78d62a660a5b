// Made from queries.sql by `npm run queries`. Do not edit.
import { statement } from '#server/infra/db/statement.ts'

/** Returns the change that a subject was last part of, if it is not undone. */
export const findChange = statement<{ user_id: number; subject_uid: string }, { change_uid: string }>(
  'selling/changes/findChange',
  ['user_id', 'subject_uid'],
  `select change_uid
from undo_step
where user_id = $1 and subject_uid = $2 and undone_at is null
order by at desc
limit 1`,
)

/** Records what an act changed. */
export const insertSteps = statement<{ user_id: number; rows: unknown }, void>(
  'selling/changes/insertSteps',
  ['user_id', 'rows'],
  `insert into undo_step (
  user_id, change_uid, subject_uid, kind, item_uid, job_uid, seller_account_uid, platform, title, before, after
)
select $1, change_uid, subject_uid, kind, item_uid, job_uid, seller_account_uid, platform, title, before, after
from json_to_recordset($2::json) as step (
  change_uid text, subject_uid text, kind text, item_uid text, job_uid text, seller_account_uid text, platform text,
  title text, before jsonb, after jsonb
)
on conflict do nothing`,
)
