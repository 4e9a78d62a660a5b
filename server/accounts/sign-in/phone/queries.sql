-- name: insertChallenge
-- Inserts a code that is being sent to a phone number, as HMAC.
insert into phone_challenge
  (token_hash, purpose, phone_number, code_mac, email, password_hash, first_name, last_name, invitation_hash, expires_at)
values (:token_hash, :purpose, :phone_number, :code_mac, :email?, :password_hash?, :first_name, :last_name,
  :invitation_hash?, now() + :expires_in * interval '1 second')
returning expires_at

-- name: lockUserByPhone
-- Returns the active account of a verified phone number and locks it until the transaction ends. No row if the number
-- was just removed.
select id, username, email from app_user
where phone_number = :phone and phone_verified and state = 'active'
for no key update

-- name: tryChallenge
-- Counts an attempt at a code before it is checked. No row if none is left, or there is no such code.
update phone_challenge set tries = tries + 1
where token_hash = :token_hash and purpose = :purpose
  and used_at is null and expires_at > now() and tries < :max_tries
returning token_hash, phone_number, code_mac, email, password_hash, first_name, last_name, invitation_hash

-- name: useChallenge
-- Uses a challenge up and clears its data. Only one of several concurrent requests gets the row.
update phone_challenge set used_at = now(), password_hash = null, email = null, first_name = '', last_name = ''
where token_hash = :token_hash and used_at is null
returning token_hash
