-- Closes an active account. Its e-mail address and phone number stay reserved. The lock also stops new rows of the
-- account: a sale in progress is waited for, and the next one finds the account closed.
update app_user set state = 'deactivated', deactivated_at = now()
from (select id from app_user where id = ${user_id} and state = 'active' for update) held
where app_user.id = held.id
returning app_user.email, app_user.phone_number
