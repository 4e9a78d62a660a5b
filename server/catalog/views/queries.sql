-- import type { View } from '#shared/contract/catalog/views.ts'

-- name: deleteView
-- Deletes a view. Returns a row if there was one.
delete from saved_view where user_id = :user_id and uid = :uid
returning 1 as one

-- name: listViews
-- type view: Omit<View, 'uid' | 'name'>
-- Returns the views of a user, the first saved first.
select uid, name, view from saved_view where user_id = :user_id order by created_at, uid

-- name: saveView
-- Stores a view, in place of one of the same name. Returns its id, or no row where the user has the most allowed.
insert into saved_view (user_id, uid, name, view)
select :user_id, :uid, :name, :view::jsonb
where exists (select from saved_view where user_id = :user_id and name = :name)
  or (select count(*) from saved_view where user_id = :user_id) < :most
on conflict (user_id, name) do update set view = excluded.view, updated_at = excluded.updated_at
returning uid
