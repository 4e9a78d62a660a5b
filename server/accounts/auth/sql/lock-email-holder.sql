-- The account that has an address, in any state, held until the end of the transaction.
select id, email_verified, phone_verified, state from app_user where email = ${email} for no key update
