-- The account of an address, whatever its state: the caller decides what may be ordered.
select id, username, email, email_verified, secured_at is not null as is_secured, password_hash, state
from app_user where email = ${email}
