-- Removes everything that was set up in an account: keys, links, webhook addresses with their deliveries, passkeys,
-- sessions, notifications and, if `second_factor` says so, the authenticator app. Returns what there was.
with keys as (
  delete from api_key where user_id = ${user_id} returning 1
), links as (
  delete from social_link where user_id = ${user_id} returning 1
), webhooks as (
  delete from webhook_endpoint where user_id = ${user_id} returning 1
), tickets as (
  delete from connect_ticket where user_id = ${user_id} returning 1
), states as (
  delete from oauth_state where user_id = ${user_id} returning 1
), steps as (
  delete from signin_step where user_id = ${user_id} returning 1
), passkeys as (
  delete from passkey where user_id = ${user_id} returning 1
), passkey_challenges as (
  delete from passkey_challenge where user_id = ${user_id} returning 1
), totp as (
  delete from totp_secret where user_id = ${user_id} and ${second_factor} returning confirmed_at
), codes as (
  delete from recovery_code where user_id = ${user_id} and ${second_factor} returning 1
), subscriptions as (
  delete from web_push_subscription where user_id = ${user_id} and token_hash is null
), tokens as (
  delete from bearer_token where user_id = ${user_id} returning 1
)
select (select count(*)::integer from keys) as keys, (select count(*)::integer from links) as links,
  (select count(*)::integer from webhooks) as webhooks, (select count(*)::integer from tokens) as tokens,
  (select count(*)::integer from passkeys) as passkeys,
  (select count(*)::integer from totp where confirmed_at is not null) as apps
