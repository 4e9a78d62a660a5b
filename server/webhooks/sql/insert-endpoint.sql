-- Inserts an endpoint; no row if the user has the maximum.
insert into webhook_endpoint (user_id, uid, url, description, event_types, encrypted_secret)
select app_user.id, ${uid}, ${url}, ${description}, ${event_types}::text[], ${encrypted_secret}
from app_user
where app_user.id = ${user_id} and app_user.state = 'active'
  and (select count(*) from webhook_endpoint where user_id = ${user_id}) < ${most}
returning uid, url, description, event_types, enabled, disabled_reason, created_at
