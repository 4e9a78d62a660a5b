-- A closed account that is not erased yet, held until the end of the transaction.
select id, username, email, phone_number from app_user
where id = ${user_id} and state = 'deactivated' and erased_at is null
for update
