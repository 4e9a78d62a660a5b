-- name: endSessions
-- Ends all bearer tokens of a user but `kept_hash`, and their tickets, authorizations in progress and notifications.
with tickets as (
  delete from connect_ticket where user_id = :user_id
), steps as (
  delete from signin_step where user_id = :user_id
), states as (
  delete from oauth_state where user_id = :user_id
), subscriptions as (
  delete from web_push_subscription where user_id = :user_id and token_hash is null
)
delete from bearer_token where user_id = :user_id and token_hash is distinct from :kept_hash?

-- name: findUserByPhone
-- Returns the account of a phone number, whatever its state: the caller decides what is allowed.
select id, username, email, phone_verified, first_name, last_name, state from app_user where phone_number = :phone

-- name: findUser
-- Returns an active account.
select id, username, email, email_verified, phone_number, phone_verified, first_name, last_name, password_hash,
  secured_at is not null as "is_secured!"
from app_user
where id = :user_id and state = 'active'

-- name: forgetNetworks
-- Deletes the known networks of an account: a stranger's network must not count as the owner's.
delete from known_network where user_id = :user_id

-- name: markSecured
-- Records that only the owner of the mailbox has a way into the account. The first time counts.
update app_user set secured_at = least(secured_at, now()) where id = :user_id

-- name: recordNetwork
-- Records a network that an account signed in from, or that opened a link to its password. Written once a day at most.
insert into known_network as known (user_id, network)
values (:user_id, :network)
on conflict (user_id, network) do update set seen_at = excluded.seen_at
where excluded.seen_at - known.seen_at > interval '1 day'

-- name: removePhone
-- Removes the phone number from an account: its former holder could sign in with it.
update app_user set phone_number = null, phone_verified = false where id = :user_id

-- name: setPassword
-- Sets the password of an account that the transaction has locked.
update app_user set password_hash = :password_hash where id = :user_id and state = 'active'
