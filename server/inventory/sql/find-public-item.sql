-- An item by its uid alone, for its public page.
select user_id, redirect_uid
from inventory_item
where uid = ${uid}
