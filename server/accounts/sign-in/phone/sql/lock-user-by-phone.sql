-- Returns the active account of a verified phone number and locks it until the transaction ends. No row if the number
-- was just removed.
select id, username, email from app_user
where phone_number = ${phone} and phone_verified and state = 'active'
for no key update
