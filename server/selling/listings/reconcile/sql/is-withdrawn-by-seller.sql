-- Returns whether the seller withdrew an item here. An item that came in with a listing that was not live was
-- withdrawn by nobody.
select actor = 'user' as by_seller
from inventory_history
where user_id = ${user_id} and item_uid = ${item_uid} and to_state = 'withdrawn'
  and from_state is distinct from to_state
order by version desc
limit 1
