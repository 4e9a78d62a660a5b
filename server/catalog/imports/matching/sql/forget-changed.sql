-- Items that changed since their words were taken are taken anew.
delete from match_item known
using inventory_item item
where known.user_id = ${user_id} and item.user_id = known.user_id and item.uid = known.item_uid
  and item.version <> known.version
