-- Locks items until the transaction ends, in the order of their ids, so that two of us do not block each other.
select uid
from inventory_item
where user_id = ${user_id} and uid = any(${uids}::text[])
order by uid
for update
