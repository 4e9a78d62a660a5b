-- Reads the items without a lock, for the read-then-write mutant.
select uid, title, state, version, price_minor, currency, redirect_uid
from inventory_item
where user_id = ${user_id} and uid = any(${uids})
order by uid
