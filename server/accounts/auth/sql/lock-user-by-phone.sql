-- The active account of a verified number, held until the end of the transaction: a number that was just taken away finds
-- none.
select id, username, email from app_user
where phone_number = ${phone} and phone_verified and state = 'active'
for no key update
