-- Lists the endpoints of a user, newest first, or a single one.
select uid, url, description, event_types, enabled, disabled_reason, created_at
from webhook_endpoint
where user_id = ${user_id} and (${uid}::text is null or uid = ${uid})
order by created_at desc, uid
