-- name: findCredential
-- Returns a row if the credential of a request still exists. Requires the lock of the account, which every revocation
-- takes too.
select 1 as found
where case :kind
  when 'bearer' then exists (select from bearer_token where user_id = :user_id and token_hash = :hash?::bytea)
  when 'api_key' then exists (select from api_key where user_id = :user_id and id = :key_id?)
  when 'ticket' then exists (select from connect_ticket where user_id = :user_id and ticket_hash = :hash::bytea)
  when 'authorization' then exists (select from oauth_state where user_id = :user_id and state_hash = :hash::bytea)
end
