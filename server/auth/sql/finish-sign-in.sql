-- After a right password: a bearer token for an active account, the failures of the account forgotten at this network
-- and as a whole, and the network noted (once a day at most). One statement: a sign-in is made of hashing, and every
-- other millisecond is taken from it. Only while the password is still the one that was checked: a token must not
-- outlive the change that ends all tokens. The lock makes either side see the other.
with holder as (
  select id from app_user
  where id = ${user_id} and state = 'active' and password_hash = ${password_hash}
  for share
), token as (
  insert into bearer_token (user_id, token_hash)
  select id, ${token_hash} from holder
  returning user_id
), forgiven as (
  delete from failed_attempt
  using holder
  where failed_attempt.kind = any(${kinds}) and failed_attempt.subject = ${subject}
    and failed_attempt.network in (${network}, ''::bytea)
), noted as (
  insert into known_network as known (user_id, network)
  select id, ${network} from holder
  on conflict (user_id, network) do update set seen_at = now() where known.seen_at < now() - interval '1 day'
)
select user_id from token
