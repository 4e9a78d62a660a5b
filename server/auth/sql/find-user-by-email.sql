-- The account of an address, whatever its state: the caller decides what may be told.
select id, username, email, email_verified, password_hash, state from app_user where email = ${email}
