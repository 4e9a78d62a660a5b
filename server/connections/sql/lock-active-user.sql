-- The account, while active, held so that neither its end nor a second connection comes in between.
select id from app_user where id = ${user_id} and state = 'active' for no key update
