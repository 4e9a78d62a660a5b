-- Makes the changes of one account's endpoints go one after another.
select id from app_user where id = ${user_id} for no key update
