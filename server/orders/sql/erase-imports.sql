-- What was read from the shop as it stood there.
delete from import_job where user_id = ${user_id} and seller_account_uid = ${seller_account_uid}
