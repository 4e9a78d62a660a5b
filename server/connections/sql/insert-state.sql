-- The state of an authorization that an active account starts, good for ten minutes; sweeps its old ones out.
with swept as (
  delete from oauth_state where user_id = ${user_id} and expires_at < now() - interval '1 hour'
)
insert into oauth_state (user_id, state_hash, platform, browser_hash, sealed_code_verifier, expires_at)
select id, ${state_hash}, ${platform}, ${browser_hash}, ${sealed_code_verifier}, now() + interval '10 minutes'
from app_user
where id = ${user_id} and state = 'active'
returning expires_at
