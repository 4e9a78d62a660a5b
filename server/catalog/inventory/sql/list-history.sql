-- Returns the newest 1,000 states of an item, or those before a version.
select version, at, actor, from_state, to_state, reason, reference,
  coalesce(changes, '[]') as changes
from inventory_history
where user_id = ${user_id} and item_uid = ${uid}
  and (${before_version}::integer is null or version < ${before_version})
order by version desc
limit 1000
