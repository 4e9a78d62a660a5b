-- Inserts a row for every connected shop whose orders can be read.
insert into order_sync (user_id, seller_account_uid, platform, interval_seconds)
select user_id, uid, platform, ${fastest_seconds}
from seller_account
where status = 'connected' and platform = any(${platforms})
on conflict do nothing
