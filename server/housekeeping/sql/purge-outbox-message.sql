-- Removes messages of a month ago, whatever became of them.
delete from outbox_message where ctid = any(array(
  select ctid from outbox_message where created_at < now() - interval '30 days' limit 5000 for update skip locked
))
