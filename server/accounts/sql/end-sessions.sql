-- Ends all bearer tokens of a user but `kept_hash`, and their tickets, authorizations in progress and notifications.
with tickets as (
  delete from connect_ticket where user_id = ${user_id}
), steps as (
  delete from signin_step where user_id = ${user_id}
), states as (
  delete from oauth_state where user_id = ${user_id}
), subscriptions as (
  delete from web_push_subscription where user_id = ${user_id} and token_hash is null
)
delete from bearer_token where user_id = ${user_id} and token_hash is distinct from ${kept_hash}
