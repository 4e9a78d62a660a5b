-- Returns the browsers of a user to notify of an event of a kind: none if the settings leave the kind out.
select subscription.endpoint_hash
from web_push_subscription subscription
join app_user holder on holder.id = subscription.user_id and holder.state = 'active'
left join seller_settings settings on settings.user_id = subscription.user_id
where subscription.user_id = ${user_id} and ${kind} = any(coalesce(settings.push_kinds, ${usual_kinds}::text[]))
