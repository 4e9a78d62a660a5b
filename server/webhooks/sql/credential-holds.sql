-- Whether a credential is still its user's. How old a session may be is asked when its stream gives its sign of life.
select exists (select from app_user where id = ${user_id} and state = 'active')
  and case ${kind}
    when 'bearer' then exists (select from bearer_token where user_id = ${user_id} and token_hash = ${hash})
    else exists (
      select from api_key
      where user_id = ${user_id} and key_hash = ${hash} and (expires_at is null or expires_at > now())
    )
  end as holds
