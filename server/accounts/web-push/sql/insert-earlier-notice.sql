-- Takes over a notification that the previous release queued, if its browser is still subscribed.
insert into web_push_notice (user_id, endpoint_hash, notice, expires_at)
select subscription.user_id, subscription.endpoint_hash, ${notice}::jsonb, to_timestamp(${expires_at}::float8 / 1000)
from web_push_subscription subscription
where subscription.user_id = ${user_id} and subscription.endpoint_hash = ${endpoint_hash}
