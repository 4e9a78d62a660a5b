// Made from queries.sql by `npm run queries`. Do not edit.
import { statement } from '#server/infra/db/statement.ts'

/** Returns the account of a sign-in, whatever its state, and counts the sign-in as failed before it is checked: by
 * account and network and, if the network may go on, by account. From a known network the failures of other networks
 * do not count, so guesses by strangers never lock the owner out. `with_strangers` false: ignores sign-ins from other
 * networks, without counting them. */
export const beginSignIn = statement<{ network: Buffer; email: string | null; with_strangers: boolean; subject: Buffer; by_network: readonly (number | null)[]; by_account: readonly (number | null)[] }, { id: number | null; username: string; email: string | null; password_hash: string | null; state: 'active' | 'deactivated'; is_known_network: boolean; network_allowed: boolean | null; network_wait: number | null; account_allowed: boolean | null; account_wait: number | null }>(
  'accounts/sign-in/password/beginSignIn',
  ['network', 'email', 'with_strangers', 'subject', 'by_network', 'by_account'],
  `with account as materialized (
  select app_user.id, app_user.username, app_user.email, app_user.password_hash, app_user.state,
    exists (
      select from known_network known where known.user_id = app_user.id and known.network = $1
    ) as is_known_network
  from (select) as one_row
  left join app_user on app_user.email = $2
), by_network as materialized (
  select case when $3 or account.is_known_network then
    count_attempt('login', $4, $1,
      ($5::integer[])[1], ($5::integer[])[2], ($5::integer[])[3], ($5::integer[])[4]
    )
  end as attempt
  from account
), by_account as materialized (
  select case when (by_network.attempt).allowed and not account.is_known_network then
    count_attempt('login-account', $4, ''::bytea,
      ($6::integer[])[1], ($6::integer[])[2], ($6::integer[])[3], ($6::integer[])[4]
    )
  end as attempt
  from account, by_network
)
select account.id as id, account.username, account.email, account.password_hash, account.state,
  account.is_known_network as is_known_network,
  (by_network.attempt).allowed as network_allowed,
  extract(epoch from (by_network.attempt).blocked_until - statement_timestamp())::float8 as network_wait,
  (by_account.attempt).allowed as account_allowed,
  extract(epoch from (by_account.attempt).blocked_until - statement_timestamp())::float8 as account_wait
from account, by_network, by_account`,
)

/** Returns when the holder of a session last proved their identity. No row if it has ended. */
export const findVerification = statement<{ user_id: number; token_hash: Buffer }, { verified_at: string }>(
  'accounts/sign-in/password/findVerification',
  ['user_id', 'token_hash'],
  `select verified_at from bearer_token where user_id = $1 and token_hash = $2`,
)

/** Inserts a bearer token after the right password, for an active account without a second factor. Deletes the
 * account's failures at this network and as a whole, and records the network, once a day at most. Requires the
 * password that was checked, locked: a token must not outlive a change of password, which ends all tokens. No row if
 * the account is no longer active or its password has changed. */
export const finishSignIn = statement<{ user_id: number; password_hash: string | null; token_hash: Buffer; address: string; user_agent: string; subject: Buffer; network: Buffer; device: Buffer }, { has_second_factor: boolean; is_known_device: boolean }>(
  'accounts/sign-in/password/finishSignIn',
  ['user_id', 'password_hash', 'token_hash', 'address', 'user_agent', 'subject', 'network', 'device'],
  `with holder as materialized (
  select app_user.id, exists (
    select 1 from totp_secret where totp_secret.user_id = app_user.id and totp_secret.confirmed_at is not null
  ) as has_second_factor
  from app_user left join seller_settings shard on shard.user_id = $1
  where app_user.id = $1 and app_user.state = 'active' and app_user.password_hash = $2
  for share of app_user
), token as (
  insert into bearer_token (user_id, token_hash, method, address, user_agent, created_at, verified_at)
  select id, $3, 'password', $4, $5, now(), now() from holder where not has_second_factor
), forgiven as (
  delete from failed_attempt
  where subject = $6 and exists (select 1 from holder)
    and (kind, network) in (('login', $7::bytea), ('login-account', ''::bytea))
), noted as (
  insert into known_network as known (user_id, network)
  select id, $7 from holder where not has_second_factor
  on conflict (user_id, network) do update set seen_at = excluded.seen_at
  where excluded.seen_at - known.seen_at > interval '1 day'
)
select has_second_factor as has_second_factor, exists (
  select 1 from known_device known where known.user_id = holder.id and known.device = $8
) as is_known_device
from holder`,
)
