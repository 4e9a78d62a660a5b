-- Returns the shop of an active account by its user name, creating it if necessary. Other accounts may have the same.
insert into seller_account (user_id, uid, platform, external_id, external_name, url, status)
select id, ${uid}, ${platform}, ${external_id}, ${external_name}, ${url}, 'connected'
from app_user
where id = ${user_id} and state = 'active'
for no key update
on conflict (user_id, platform, external_id) do update set
  external_name = excluded.external_name,
  url = excluded.url,
  connected_at = case when seller_account.status = 'connected' then seller_account.connected_at else now() end,
  status = 'connected'
returning uid, xmax = 0 as is_new
