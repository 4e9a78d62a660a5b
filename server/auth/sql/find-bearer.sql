-- The holder of a live bearer token of an active account.
select token.user_id
from bearer_token token
join app_user on app_user.id = token.user_id
where token.token_hash = ${token_hash} and app_user.state = 'active'
