-- Inserts a bearer token after the right password, for an active account without a second factor. Deletes the
-- account's failures at this network and as a whole, and records the network, once a day at most. Requires the
-- password that was checked, locked: a token must not outlive a change of password, which ends all tokens. No row if
-- the account is no longer active or its password has changed.
with holder as materialized (
  select app_user.id, exists (
    select from totp_secret where totp_secret.user_id = app_user.id and totp_secret.confirmed_at is not null
  ) as has_second_factor
  from app_user
  where app_user.id = ${user_id} and app_user.state = 'active' and app_user.password_hash = ${password_hash}
  for share of app_user
), token as (
  insert into bearer_token (user_id, token_hash, method, address, user_agent, created_at, verified_at)
  select id, ${token_hash}, 'password', ${address}, ${user_agent}, now(), now() from holder where not has_second_factor
), forgiven as (
  delete from failed_attempt
  where subject = ${subject} and exists (select from holder)
    and (kind, network) in (('login', ${network}::bytea), ('login-account', ''::bytea))
), noted as (
  insert into known_network as known (user_id, network)
  select id, ${network} from holder where not has_second_factor
  on conflict (user_id, network) do update set seen_at = now() where known.seen_at < now() - interval '1 day'
)
select has_second_factor, exists (
  select from known_device known where known.user_id = holder.id and known.device = ${device}
) as is_known_device
from holder
