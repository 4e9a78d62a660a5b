-- Removes those of the given images of an account that no item uses any more.
delete from image
where user_id = ${user_id} and uid = any(${uids}) and not exists (
  select from inventory_item item
  where item.user_id = ${user_id}
    and strpos(array_to_string(item.images || item.evidence_urls, ' '), '/images/' || image.uid || '/') > 0
)
returning uid
