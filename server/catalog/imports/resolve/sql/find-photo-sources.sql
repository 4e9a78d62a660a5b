-- Returns the addresses that an item's photos were copied from. No row unless it still has these copies.
select copy.sources
from image_copy copy
join inventory_item item on item.user_id = copy.user_id and item.uid = copy.item_uid and item.images = copy.copies
where copy.user_id = ${user_id} and copy.item_uid = ${item_uid}
