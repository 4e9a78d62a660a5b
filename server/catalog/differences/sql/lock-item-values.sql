-- Returns an item's values, and locks it until the transaction ends.
select item.title, item.description, item.images, coalesce(copy.sources, item.images) as sources, item.price_minor,
  item.currency, item.state
from inventory_item item
left join image_copy copy on copy.user_id = item.user_id and copy.item_uid = item.uid and copy.copies = item.images
where item.user_id = ${user_id} and item.uid = ${item_uid} and item.redirect_uid is null
for no key update of item
