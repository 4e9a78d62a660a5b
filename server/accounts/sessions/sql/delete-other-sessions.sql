-- Deletes all sessions of a user but one, the authorizations that they began, and the notifications of browsers that
-- have no session any more. Returns the number of sessions.
with ended as (
  delete from bearer_token where user_id = ${user_id} and token_hash <> ${token_hash} returning uid
), tickets as (
  delete from connect_ticket where user_id = ${user_id}
), subscriptions as (
  delete from web_push_subscription where user_id = ${user_id} and token_hash is null
), states as (
  delete from oauth_state where user_id = ${user_id}
)
select count(*)::integer as ended from ended
