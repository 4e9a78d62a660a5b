-- A push that is acknowledged; no row when it was before.
insert into push_receipt (platform, message_id, topic)
values (${platform}, ${message_id}, ${topic})
on conflict do nothing
returning message_id
