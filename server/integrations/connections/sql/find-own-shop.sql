-- Locks an account's row of a shop in any status.
select uid, status from seller_account
where user_id = ${user_id} and platform = ${platform} and external_id = ${external_id}
for update
