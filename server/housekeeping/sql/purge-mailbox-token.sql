-- Removes links that ran out a week ago: until then they are told from tokens that never were.
delete from mailbox_token where ctid = any(array(
  select ctid from mailbox_token where expires_at < now() - interval '7 days' limit 5000 for update skip locked
))
