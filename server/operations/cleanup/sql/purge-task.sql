-- Removes tasks that ended ${work_days} days ago. Completed tasks to list an item stay, since they say which listing is its
-- own. Tasks to end a listing stay while it is live, or while an operation waits for the seller's word.
delete from extension_task where ctid = any(array(
  select task.ctid
  from extension_task task
  where task.finished_at < now() - ${work_days} * interval '1 day' and not (task.kind = 'list' and task.status = 'completed')
    and not exists (
      select from channel_listing listing
      where listing.user_id = task.user_id and listing.item_uid = task.item_uid and listing.listing_id = task.listing_id
        and listing.state in ('available', 'reserved')
    )
    and not exists (
      select from listing_operation operation
      where operation.user_id = task.user_id and operation.item_uid = task.item_uid and operation.state = 'open'
    )
  limit ${limit}
  for update of task skip locked
))
