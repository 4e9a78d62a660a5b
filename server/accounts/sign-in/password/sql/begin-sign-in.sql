-- Returns the account of a sign-in, whatever its state, and counts the sign-in as failed before it is checked: by
-- account and network and, if the network may go on, by account. From a known network the failures of other networks
-- do not count, so guesses by strangers never lock the owner out. `with_strangers` false: ignores sign-ins from other
-- networks, without counting them.
with account as materialized (
  select app_user.id, app_user.username, app_user.email, app_user.password_hash, app_user.state,
    exists (
      select from known_network known where known.user_id = app_user.id and known.network = ${network}
    ) as is_known_network
  from (select) as one_row
  left join app_user on app_user.email = ${email}
), by_network as materialized (
  select case when ${with_strangers} or account.is_known_network then
    count_attempt('login', ${subject}, ${network}, ${by_network:csv})
  end as attempt
  from account
), by_account as materialized (
  select case when (by_network.attempt).allowed and not account.is_known_network then
    count_attempt('login-account', ${subject}, ''::bytea, ${by_account:csv})
  end as attempt
  from account, by_network
)
select account.*,
  (by_network.attempt).allowed as network_allowed,
  extract(epoch from (by_network.attempt).blocked_until - statement_timestamp())::float8 as network_wait,
  (by_account.attempt).allowed as account_allowed,
  extract(epoch from (by_account.attempt).blocked_until - statement_timestamp())::float8 as account_wait
from account, by_network, by_account
