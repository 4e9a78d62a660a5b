-- Removes every way into a closed account, and its webhook addresses. Its identities stay reserved, without their
-- tokens.
with keys as (
  delete from api_key where user_id = ${user_id}
), links as (
  delete from mailbox_token where user_id = ${user_id}
), challenges as (
  delete from phone_challenge where phone_number = ${phone_number} or email = ${email}
), identities as (
  update social_link set ended_at = now(), encrypted_refresh_token = null
  where user_id = ${user_id} and ended_at is null
), webhooks as (
  delete from webhook_endpoint where user_id = ${user_id}
), totp as (
  delete from totp_secret where user_id = ${user_id}
), codes as (
  delete from recovery_code where user_id = ${user_id}
), steps as (
  delete from signin_step where user_id = ${user_id}
), passkeys as (
  delete from passkey where user_id = ${user_id}
), passkey_challenges as (
  delete from passkey_challenge where user_id = ${user_id}
), subscriptions as (
  delete from web_push_subscription where user_id = ${user_id} and token_hash is null
), messages as (
  update outbox_message set status = 'expired', encrypted_message = null
  where user_id = ${user_id} and status = 'waiting'
)
delete from bearer_token where user_id = ${user_id}
