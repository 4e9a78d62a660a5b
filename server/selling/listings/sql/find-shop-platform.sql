-- Returns the platform of a shop that is not disconnected.
select platform from seller_account where user_id = ${user_id} and uid = ${seller_account_uid} and status <> 'revoked'
