-- Returns the account of an e-mail address, whatever its state: the caller decides what is allowed.
select id, username, email, email_verified, secured_at is not null as is_secured, password_hash, state
from app_user where email = ${email}
