-- Removes alerts that ended ${work_days} days ago. A dismissed alert of an item that was sold twice stays with its order.
delete from alert where ctid = any(array(
  select ctid from alert
  where finished_at < now() - ${work_days} * interval '1 day' and (kind <> 'oversell' or state = 'resolved')
  limit ${limit}
  for update skip locked
))
