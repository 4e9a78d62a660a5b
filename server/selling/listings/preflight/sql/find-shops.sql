-- Returns the user's shops on a platform that are not disconnected.
select uid, status from seller_account
where user_id = ${user_id} and platform = ${platform} and status <> 'revoked'
order by connected_at
