-- The shop of a user on a platform that was connected or read last; a disconnected one where there is no other.
select uid from seller_account
where user_id = ${user_id} and platform = ${platform}
order by status <> 'revoked' desc, connected_at desc
limit 1
