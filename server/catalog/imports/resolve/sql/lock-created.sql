-- Locks the next items that an import created and that still are its own, or the named ones.
select item.uid
from import_item made
join inventory_item item on item.user_id = made.user_id and item.uid = made.created_inventory_item_uid
where made.user_id = ${user_id} and made.job_uid = ${job_uid} and made.status = 'imported'
  and (made.resolution is null or made.created_inventory_item_uid = any(${uids}::text[]))
  and (${uids}::text[] is null or made.created_inventory_item_uid = any(${uids}::text[]))
  and item.uid > ${after}
order by item.uid
limit ${limit}
for update of item
