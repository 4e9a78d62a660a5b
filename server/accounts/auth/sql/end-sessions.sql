-- Ends all bearer tokens of a user, and their tickets and authorizations in progress.
with tickets as (
  delete from connect_ticket where user_id = ${user_id}
), steps as (
  delete from signin_step where user_id = ${user_id}
), states as (
  delete from oauth_state where user_id = ${user_id}
)
delete from bearer_token where user_id = ${user_id}
