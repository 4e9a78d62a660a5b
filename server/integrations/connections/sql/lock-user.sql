-- The account, while active, held so that what decides by its shops comes one after the other.
select id from app_user where id = ${user_id} and state = 'active' for no key update
