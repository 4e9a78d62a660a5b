-- Deletes a locked item with its ended listings and its history, and resolves the alerts that only it could answer.
with resolved as (
  update alert set state = 'resolved', finished_at = now()
  where user_id = ${user_id} and coalesce(item_uid, '') = ${uid} and state = 'open'
    and kind in ('relist_offer', 'update_refused', 'listing_refused')
)
delete from inventory_item
where user_id = ${user_id} and uid = ${uid}
