-- Inserts the receipt of a push notification. No row if it was acknowledged before.
insert into push_receipt (platform, message_id, topic)
values (${platform}, ${message_id}, ${topic})
on conflict do nothing
returning message_id
