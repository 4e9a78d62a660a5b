-- Inserts an act on an item into its history: actor, time, reason, and what it changed.
insert into inventory_history (user_id, item_uid, version, actor, from_state, to_state, reason, reference, changes)
values (${user_id}, ${item_uid}, ${version}, ${actor}, ${from_state}, ${to_state}, ${reason}, ${reference}, ${changes}::jsonb)
