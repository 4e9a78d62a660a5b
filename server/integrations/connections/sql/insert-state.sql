-- Inserts an authorization's state for ten minutes and deletes the account's old ones. The caller has locked the
-- account.
with swept as (
  delete from oauth_state where user_id = ${user_id} and expires_at < now() - interval '1 hour'
)
insert into oauth_state (user_id, state_hash, platform, browser_hash, encrypted_code_verifier, expires_at)
values (${user_id}, ${state_hash}, ${platform}, ${browser_hash}, ${encrypted_code_verifier}, now() + interval '10 minutes')
