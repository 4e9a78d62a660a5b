-- Returns whether a credential still exists. The age of a session is checked at the stream's keep-alive.
select exists (select from app_user where id = ${user_id} and state = 'active')
  and case ${kind}
    when 'bearer' then exists (select from bearer_token where user_id = ${user_id} and token_hash = ${hash})
    else exists (
      select from api_key
      where user_id = ${user_id} and key_hash = ${hash} and (expires_at is null or expires_at > now())
    )
  end as holds
