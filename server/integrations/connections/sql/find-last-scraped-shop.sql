-- Returns the user's shop on a platform that was connected last, preferring connected shops.
select uid from seller_account
where user_id = ${user_id} and platform = ${platform}
order by status <> 'revoked' desc, connected_at desc
limit 1
