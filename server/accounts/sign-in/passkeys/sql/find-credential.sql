-- Returns a passkey of an active account.
select passkey.user_id, passkey.uid, passkey.public_key, passkey.counter, passkey.transports
from passkey
join app_user on app_user.id = passkey.user_id
where passkey.credential_id = ${credential_id} and app_user.state = 'active'
