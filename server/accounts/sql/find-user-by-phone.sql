-- Returns the account of a phone number, whatever its state: the caller decides what is allowed.
select id, username, email, phone_verified, first_name, last_name, state from app_user where phone_number = ${phone}
