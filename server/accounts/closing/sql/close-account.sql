-- Closes an active account; its e-mail and phone number stay reserved. Held against new rows that belong to it too: a sale
-- that is just being recorded is waited for, and the next one finds the account closed.
update app_user set state = 'deactivated', deactivated_at = now()
from (select id from app_user where id = ${user_id} and state = 'active' for update) held
where app_user.id = held.id
returning app_user.email, app_user.phone_number
