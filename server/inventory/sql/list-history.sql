-- Every state of an item, newest first.
select version, at, actor, from_state, to_state, reason, reference
from inventory_history
where user_id = ${user_id} and item_uid = ${uid}
order by version desc
