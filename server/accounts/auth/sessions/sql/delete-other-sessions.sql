-- Ends all sessions of a user but one, and what any of them began at a marketplace's consent page.
with ended as (
  delete from bearer_token where user_id = ${user_id} and token_hash <> ${token_hash} returning uid
), tickets as (
  delete from connect_ticket where user_id = ${user_id}
), states as (
  delete from oauth_state where user_id = ${user_id}
)
select count(*)::integer as ended from ended
