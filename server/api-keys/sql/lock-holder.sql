-- Makes the changes of one account's keys go one after another; no row when the account is not active.
select id from app_user where id = ${user_id} and state = 'active' for no key update
