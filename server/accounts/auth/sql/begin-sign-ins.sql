-- Counts sign-ins as failed before they are tried, by account and network and, if that lets one through, by account; and
-- finds the accounts, whatever their state, and whether each was entered from its network before: from such a network the
-- failures of everybody else do not count, so a stranger's guesses never lock the owner out. One statement for all
-- that go together: while somebody is guessing, this is what every guess costs, so it does not wait for the disk either:
-- a crash of the database may forget the guesses of its last fifth of a second. The rules are those of begin-attempt.
-- Of one subject there is one at a time. All rows by network come before those by account, each in order, so that two
-- servers lock in one order. subjects, networks: 32 bytes after 32, one for each of the emails.
with given as (
  select (ordinal - 1)::integer as place, email,
    substr(${subjects}::bytea, (ordinal::integer - 1) * 32 + 1, 32) as subject,
    substr(${networks}::bytea, (ordinal::integer - 1) * 32 + 1, 32) as network
  from unnest(${emails}::text[]) with ordinality as asked (email, ordinal)
), account as materialized (
  select given.place, given.subject, given.network, app_user.id, app_user.username, app_user.email,
    app_user.password_hash, app_user.state,
    exists (
      select from known_network known where known.user_id = app_user.id and known.network = given.network
    ) as is_known_network
  from given
  left join app_user on app_user.email = given.email
), by_network as (
  insert into failed_attempt as known (kind, subject, network, count, admitted, blocked_until, expires_at)
  select 'login', subject, network, 1, true, null::timestamptz,
    statement_timestamp() + ${network_window} * interval '1 second'
  from given
  order by subject
  on conflict (kind, subject, network) do update set
    admitted = known.expires_at <= statement_timestamp()
      or coalesce(known.blocked_until <= statement_timestamp(), true),
    count = case
      when known.expires_at <= statement_timestamp() then 1
      when known.blocked_until > statement_timestamp() then known.count
      else known.count + 1
    end,
    blocked_until = case
      when known.expires_at <= statement_timestamp() then null
      when known.blocked_until > statement_timestamp() then known.blocked_until
      when known.count + 1 >= ${network_max} then statement_timestamp() + least(
        ${network_longest}, ${network_first} * power(2, least(known.count + 1 - ${network_max}, 20))
      ) * interval '1 second'
    end,
    expires_at = case
      when known.blocked_until > statement_timestamp() and known.expires_at > statement_timestamp()
        then known.expires_at
      else statement_timestamp() + ${network_window} * interval '1 second'
    end
  returning subject, admitted, extract(epoch from blocked_until - statement_timestamp())::float8 as wait
), by_account as (
  insert into failed_attempt as known (kind, subject, network, count, admitted, blocked_until, expires_at)
  select 'login-account', subject, ''::bytea, 1, true, null::timestamptz,
    statement_timestamp() + ${account_window} * interval '1 second'
  from by_network
  join account using (subject)
  where by_network.admitted and not account.is_known_network
  order by subject
  on conflict (kind, subject, network) do update set
    admitted = known.expires_at <= statement_timestamp()
      or coalesce(known.blocked_until <= statement_timestamp(), true),
    count = case
      when known.expires_at <= statement_timestamp() then 1
      when known.blocked_until > statement_timestamp() then known.count
      else known.count + 1
    end,
    blocked_until = case
      when known.expires_at <= statement_timestamp() then null
      when known.blocked_until > statement_timestamp() then known.blocked_until
      when known.count + 1 >= ${account_max} then statement_timestamp() + least(
        ${account_longest}, ${account_first} * power(2, least(known.count + 1 - ${account_max}, 20))
      ) * interval '1 second'
    end,
    expires_at = case
      when known.blocked_until > statement_timestamp() and known.expires_at > statement_timestamp()
        then known.expires_at
      else statement_timestamp() + ${account_window} * interval '1 second'
    end
  returning subject, admitted, extract(epoch from blocked_until - statement_timestamp())::float8 as wait
)
select account.place,
  by_network.admitted as network_admitted, by_network.wait as network_wait,
  by_account.admitted as account_admitted, by_account.wait as account_wait,
  account.id, account.username, account.email, account.password_hash, account.state, account.is_known_network
from account
cross join set_config('synchronous_commit', 'off', true)
join by_network on by_network.subject = account.subject
left join by_account on by_account.subject = account.subject
