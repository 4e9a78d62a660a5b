-- The items, locked in one order: whoever decides about an item waits here for whoever decides about it now.
select uid, title, state, version, price_minor, currency, redirect_uid
from inventory_item
where user_id = ${user_id} and uid = any(${uids})
order by uid
for no key update
