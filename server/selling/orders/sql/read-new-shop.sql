-- Makes the orders of a new shop due at once.
insert into order_sync (user_id, seller_account_uid, platform, interval_seconds)
values (${user_id}, ${seller_account_uid}, ${platform}, ${fastest_seconds})
on conflict (user_id, seller_account_uid) do update set next_read_at = least(order_sync.next_read_at, now())
