-- The account of a phone number, whatever its state: the caller decides what may be ordered.
select id, username, email, phone_verified, first_name, last_name, state from app_user where phone_number = ${phone}
