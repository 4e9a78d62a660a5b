-- Moves the subscriptions of a session to its new token.
update web_push_subscription set token_hash = ${to} where user_id = ${user_id} and token_hash = ${from}
