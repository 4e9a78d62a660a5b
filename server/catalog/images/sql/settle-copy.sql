-- Records that nothing is left to copy of an item, and why photos stay where they are.
update image_copy set sources = ${sources}, copies = ${copies}, due_at = null, failure = ${failure}
where user_id = ${user_id} and item_uid = ${item_uid}
