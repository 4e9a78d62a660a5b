-- Returns the versions of items.
select uid, version
from inventory_item
where user_id = ${user_id} and uid = any(${uids}::text[])
order by uid
