-- Keeps a subscription of a live session. No row if the session has ended, or the user has as many as allowed.
insert into web_push_subscription (user_id, endpoint_hash, token_hash, encrypted_subscription)
select token.user_id, ${endpoint_hash}, token.token_hash, ${encrypted_subscription}
from bearer_token token
where token.user_id = ${user_id} and token.token_hash = ${token_hash}
  and (
    select count(*) from web_push_subscription kept
    where kept.user_id = ${user_id} and kept.endpoint_hash <> ${endpoint_hash}
  ) < ${most}
on conflict (user_id, endpoint_hash) do update set
  token_hash = excluded.token_hash, encrypted_subscription = excluded.encrypted_subscription
returning user_id
