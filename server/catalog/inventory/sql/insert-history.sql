-- Inserts a state of an item into its history: actor, time and reason.
insert into inventory_history (user_id, item_uid, version, actor, from_state, to_state, reason, reference)
values (${user_id}, ${item_uid}, ${version}, ${actor}, ${from_state}, ${to_state}, ${reason}, ${reference})
