-- Locks items in one order and returns them: decisions about an item wait for each other here.
select uid, title, state, version, price_minor, currency, redirect_uid
from inventory_item
where user_id = ${user_id} and uid = any(${uids})
order by uid
for no key update
