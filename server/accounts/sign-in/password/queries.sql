-- name: beginSignIn
-- Returns the account of a sign-in, whatever its state, and counts the sign-in as failed before it is checked: by
-- account and network and, if the network may go on, by account. From a known network the failures of other networks
-- do not count, so guesses by strangers never lock the owner out. `with_strangers` false: ignores sign-ins from other
-- networks, without counting them.
with account as materialized (
  select app_user.id, app_user.username, app_user.email, app_user.password_hash, app_user.state,
    exists (
      select from known_network known where known.user_id = app_user.id and known.network = :network
    ) as is_known_network
  from (select) as one_row
  left join app_user on app_user.email = :email?
), by_network as materialized (
  select case when :with_strangers or account.is_known_network then
    count_attempt('login', :subject, :network,
      (:by_network::integer[])[1], (:by_network::integer[])[2], (:by_network::integer[])[3], (:by_network::integer[])[4]
    )
  end as attempt
  from account
), by_account as materialized (
  select case when (by_network.attempt).allowed and not account.is_known_network then
    count_attempt('login-account', :subject, ''::bytea,
      (:by_account::integer[])[1], (:by_account::integer[])[2], (:by_account::integer[])[3], (:by_account::integer[])[4]
    )
  end as attempt
  from account, by_network
)
select account.id as "id?", account.username, account.email, account.password_hash, account.state,
  account.is_known_network as "is_known_network!",
  (by_network.attempt).allowed as network_allowed,
  extract(epoch from (by_network.attempt).blocked_until - statement_timestamp())::float8 as network_wait,
  (by_account.attempt).allowed as account_allowed,
  extract(epoch from (by_account.attempt).blocked_until - statement_timestamp())::float8 as account_wait
from account, by_network, by_account

-- name: findVerification
-- Returns when the holder of a session last proved their identity. No row if it has ended.
select verified_at from bearer_token where user_id = :user_id and token_hash = :token_hash

-- name: finishSignIn
-- Inserts a bearer token after the right password, for an active account without a second factor. Deletes the
-- account's failures at this network and as a whole, and records the network, once a day at most. Requires the
-- password that was checked, locked: a token must not outlive a change of password, which ends all tokens. No row if
-- the account is no longer active or its password has changed.
with holder as materialized (
  select app_user.id, exists (
    select 1 from totp_secret where totp_secret.user_id = app_user.id and totp_secret.confirmed_at is not null
  ) as has_second_factor
  from app_user left join seller_settings shard on shard.user_id = :user_id
  where app_user.id = :user_id and app_user.state = 'active' and app_user.password_hash = :password_hash?
  for share of app_user
), token as (
  insert into bearer_token (user_id, token_hash, method, address, user_agent, created_at, verified_at)
  select id, :token_hash, 'password', :address, :user_agent, now(), now() from holder where not has_second_factor
), forgiven as (
  delete from failed_attempt
  where subject = :subject and exists (select 1 from holder)
    and (kind, network) in (('login', :network::bytea), ('login-account', ''::bytea))
), noted as (
  insert into known_network as known (user_id, network)
  select id, :network from holder where not has_second_factor
  on conflict (user_id, network) do update set seen_at = excluded.seen_at
  where excluded.seen_at - known.seen_at > interval '1 day'
)
select has_second_factor as "has_second_factor!", exists (
  select 1 from known_device known where known.user_id = holder.id and known.device = :device
) as "is_known_device!"
from holder
