-- Deletes a subscription of a user.
delete from web_push_subscription where user_id = ${user_id} and endpoint_hash = ${endpoint_hash}
returning user_id
