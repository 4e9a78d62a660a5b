-- The shop of a user on a platform that was connected or read last.
select uid from seller_account
where user_id = ${user_id} and platform = ${platform} and status <> 'revoked'
order by connected_at desc
limit 1
