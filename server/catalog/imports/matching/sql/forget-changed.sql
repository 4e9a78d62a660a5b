-- Deletes the words of items that changed since they were indexed.
delete from match_item known
using inventory_item item
where known.user_id = ${user_id} and item.user_id = known.user_id and item.uid = known.item_uid
  and item.version <> known.version
