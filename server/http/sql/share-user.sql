-- An active account, held with others who only need it to stay as it is until the end of the transaction.
select id from app_user
where id = ${user_id} and state = 'active'
for share
