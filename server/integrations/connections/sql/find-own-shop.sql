-- An account's own row of a shop, whatever its status, held.
select uid, status from seller_account
where user_id = ${user_id} and platform = ${platform} and external_id = ${external_id}
for update
