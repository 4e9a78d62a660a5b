-- Returns a subscription of an active account.
select subscription.encrypted_subscription
from web_push_subscription subscription
join app_user holder on holder.id = subscription.user_id and holder.state = 'active'
where subscription.user_id = ${user_id} and subscription.endpoint_hash = ${endpoint_hash}
