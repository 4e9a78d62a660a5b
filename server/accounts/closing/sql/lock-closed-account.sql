-- Returns a closed account that is not erased yet, and locks it until the transaction ends.
select id, username, email, phone_number from app_user
where id = ${user_id} and state = 'deactivated' and erased_at is null
for update
