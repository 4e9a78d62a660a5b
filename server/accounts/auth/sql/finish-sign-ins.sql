-- After right passwords, for each of those that go together: a bearer token for an active account without second factor, the failures of the
-- account forgotten at this network and as a whole, and the network noted (once a day at most). One statement: a sign-in is
-- made of hashing, and every other millisecond is taken from it. Only while the password is still the one that was checked:
-- a token must not outlive the change that ends all tokens. The lock makes either side see the other; all are locked in
-- order. Of one account there is one at a time. token_hashes, subjects, networks, devices: 32 bytes after 32.
with given as (
  select (ordinal - 1)::integer as place, user_id, password_hash,
    substr(${token_hashes}::bytea, (ordinal::integer - 1) * 32 + 1, 32) as token_hash,
    substr(${subjects}::bytea, (ordinal::integer - 1) * 32 + 1, 32) as subject,
    substr(${networks}::bytea, (ordinal::integer - 1) * 32 + 1, 32) as network,
    substr(${devices}::bytea, (ordinal::integer - 1) * 32 + 1, 32) as device, address, user_agent
  from unnest(${user_ids}::integer[], ${password_hashes}::text[], ${addresses}::text[], ${user_agents}::text[])
    with ordinality as asked (user_id, password_hash, address, user_agent, ordinal)
), holder as materialized (
  select exists (
    select from totp_secret where totp_secret.user_id = app_user.id and totp_secret.confirmed_at is not null
  ) as has_second_factor, app_user.id, given.place, given.token_hash, given.subject, given.network, given.device, given.address,
    given.user_agent
  from given
  join app_user on app_user.id = given.user_id
  where app_user.state = 'active' and app_user.password_hash = given.password_hash
  order by app_user.id
  for share of app_user
), token as (
  insert into bearer_token (user_id, token_hash, method, address, user_agent, created_at, proven_at)
  select id, token_hash, 'password', address, user_agent, now(), now() from holder where not has_second_factor
), forgiven as (
  delete from failed_attempt
  using holder
  cross join (values ('login'), ('login-account')) as counted (kind)
  where failed_attempt.kind = counted.kind and failed_attempt.subject = holder.subject
    and failed_attempt.network = case when counted.kind = 'login' then holder.network else ''::bytea end
), noted as (
  insert into known_network as known (user_id, network)
  select id, network from holder where not has_second_factor
  on conflict (user_id, network) do update set seen_at = now() where known.seen_at < now() - interval '1 day'
)
select given.place, holder.place is not null as is_finished, coalesce(holder.has_second_factor, false) as has_second_factor,
  exists (
    select from known_device known where known.user_id = holder.id and known.device = holder.device
  ) as is_known_device
from given
left join holder on holder.place = given.place
