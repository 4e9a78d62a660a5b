-- All shops of an account, disconnected ones too, newest first.
select uid, platform, external_id, external_name, status, connected_at, last_synced_at,
  sale_notices
from seller_account
where user_id = ${user_id}
order by connected_at desc, uid
limit 1000
