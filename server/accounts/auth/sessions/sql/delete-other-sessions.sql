-- Deletes all sessions of a user but one, and the authorizations that they began. Returns their number.
with ended as (
  delete from bearer_token where user_id = ${user_id} and token_hash <> ${token_hash} returning uid
), tickets as (
  delete from connect_ticket where user_id = ${user_id}
), states as (
  delete from oauth_state where user_id = ${user_id}
)
select count(*)::integer as ended from ended
