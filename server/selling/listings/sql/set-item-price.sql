-- Stores the new price of a locked item as its next version, with its history.
with changed as (
  update inventory_item set price_minor = ${price_minor}, version = version + 1, updated_at = now()
  where user_id = ${user_id} and uid = ${item_uid}
  returning user_id, uid, version, state
), told as (
  insert into inventory_history (user_id, item_uid, version, actor, from_state, to_state, reason, reference, changes)
  select user_id, uid, version, 'user', state, state, ${reason}, ${reference},
    jsonb_build_array(jsonb_build_object('field', 'price', 'from', ${from}::text, 'to', ${to}::text))
  from changed
)
select version from changed
