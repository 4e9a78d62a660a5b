// Made from queries.sql by `npm run queries`. Do not edit.
import { statement } from '#server/infra/db/statement.ts'
import type { View } from '#shared/contract/catalog/views.ts'

/** Deletes a view. Returns a row if there was one. */
export const deleteView = statement<{ user_id: number; uid: string }, { one: number | null }>(
  'catalog/views/deleteView',
  ['user_id', 'uid'],
  `delete from saved_view where user_id = $1 and uid = $2
returning 1 as one`,
)

/** Returns the views of a user, the first saved first. */
export const listViews = statement<{ user_id: number }, { uid: string; name: string; view: Omit<View, 'uid' | 'name'> }>(
  'catalog/views/listViews',
  ['user_id'],
  `select uid, name, view from saved_view where user_id = $1 order by created_at, uid`,
)

/** Stores a view, in place of one of the same name. Returns its id, or no row where the user has the most allowed. */
export const saveView = statement<{ user_id: number; uid: string; name: string; view: unknown; most: number | string }, { uid: string }>(
  'catalog/views/saveView',
  ['user_id', 'uid', 'name', 'view', 'most'],
  `insert into saved_view (user_id, uid, name, view)
select $1, $2, $3, $4::jsonb
where exists (select from saved_view where user_id = $1 and name = $3)
  or (select count(*) from saved_view where user_id = $1) < $5
on conflict (user_id, name) do update set view = excluded.view, updated_at = excluded.updated_at
returning uid`,
)
