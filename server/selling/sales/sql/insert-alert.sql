-- Inserts an alert, once.
insert into alert (user_id, uid, kind, item_uid, platform, reference, message, data)
values (${user_id}, ${uid}, ${kind}, ${item_uid}, ${platform}, ${reference}, ${message}, ${data}::jsonb)
on conflict (user_id, kind, coalesce(item_uid, ''), reference) where state = 'open' do nothing
returning uid
