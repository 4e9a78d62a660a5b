-- Returns the number and bytes of an account's items, and the bytes of listings read for imports in the last 30 days.
-- After that, the large parts of such listings are removed.
select
  (select count(*) from inventory_item where user_id = ${user_id}) as items,
  (
    select coalesce(sum(
      pg_column_size(description) + pg_column_size(attributes) + pg_column_size(images) + pg_column_size(condition_notes)
    ), 0)
    from inventory_item
    where user_id = ${user_id}
  ) as item_bytes,
  (
    select coalesce(sum(found_bytes), 0)
    from import_job
    where user_id = ${user_id} and created_at > now() - interval '30 days'
  )::bigint as found_bytes
