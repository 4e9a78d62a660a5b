-- Inserts a message to send. No row if its cause has one already.
insert into outbox_message (id, user_id, channel, template, encrypted_message, dedupe_key, expires_at)
values (${id}, ${user_id}, ${channel}, ${template}, ${encrypted_message}, ${dedupe_key},
  now() + ${expires_in} * interval '1 second')
on conflict (dedupe_key) do nothing
returning id
