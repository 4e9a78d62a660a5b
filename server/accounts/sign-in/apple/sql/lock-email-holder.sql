-- Returns the account that has an e-mail address, in any state, and locks it until the transaction ends.
select id, email_verified, phone_verified, state from app_user where email = ${email} for no key update
