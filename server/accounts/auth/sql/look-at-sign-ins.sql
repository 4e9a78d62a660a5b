-- What begin-sign-ins would say of each, without counting it: how long it has to wait, if at all, and whether the account
-- was entered from this network before. subjects, networks: 32 bytes after 32, one for each of the emails.
with given as (
  select (ordinal - 1)::integer as place, email,
    substr(${subjects}::bytea, (ordinal::integer - 1) * 32 + 1, 32) as subject,
    substr(${networks}::bytea, (ordinal::integer - 1) * 32 + 1, 32) as network
  from unnest(${emails}::text[]) with ordinality as asked (email, ordinal)
)
select place, (
  select extract(epoch from known.blocked_until - statement_timestamp())::float8 from failed_attempt known
  where known.kind = 'login' and known.subject = given.subject and known.network = given.network
    and known.blocked_until > statement_timestamp() and known.expires_at > statement_timestamp()
) as network_wait, (
  select extract(epoch from known.blocked_until - statement_timestamp())::float8 from failed_attempt known
  where known.kind = 'login-account' and known.subject = given.subject and known.network = ''::bytea
    and known.blocked_until > statement_timestamp() and known.expires_at > statement_timestamp()
) as account_wait, exists (
  select from app_user join known_network known on known.user_id = app_user.id
  where app_user.email = given.email and known.network = given.network
) as is_known_network
from given
