-- Returns an item by its uid alone, for its public page. Closed accounts have no public pages.
select item.user_id, item.redirect_uid
from inventory_item item
join app_user on app_user.id = item.user_id
where item.uid = ${uid} and app_user.state = 'active'
