-- Ends all sessions of a user but one.
with ended as (
  delete from bearer_token where user_id = ${user_id} and token_hash <> ${token_hash} returning uid
)
select count(*)::integer as ended from ended
