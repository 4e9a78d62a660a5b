-- name: addWritten
-- Adds bytes to those that an account has sent today and returns their sum.
insert into written_bytes as known (user_id, day, bytes)
values (:user_id, :day, :bytes)
on conflict (user_id, day) do update set bytes = known.bytes + excluded.bytes
returning bytes

-- name: countImports
-- Returns the number of imports that an account began within a day.
select count(*) as "imports!" from import_job where user_id = :user_id and created_at > :since

-- name: readHeld
-- Returns the number and bytes of an account's items, and the bytes of listings read for imports in the last 30 days.
-- After that, the large parts of such listings are removed.
select
  (select count(*) from inventory_item where user_id = :user_id) as "items!",
  (
    select coalesce(sum(
      pg_column_size(description) + pg_column_size(attributes) + pg_column_size(images) + pg_column_size(condition_notes)
    ), 0)
    from inventory_item
    where user_id = :user_id
  ) as "item_bytes!",
  (
    select coalesce(sum(found_bytes), 0)
    from import_job
    where user_id = :user_id and created_at > now() - interval '30 days'
  )::bigint as "found_bytes!"
