-- Returns the browsers of a user that are notified, newest first.
select endpoint_hash, created_at
from web_push_subscription
where user_id = ${user_id}
order by created_at desc, endpoint_hash
