-- Returns the user's shops that are not disconnected, by uid or by platform.
select uid, platform, status
from seller_account
where user_id = ${user_id} and status <> 'revoked'
  and (${uid}::text is null or uid = ${uid}) and (${platform}::text is null or platform = ${platform})
order by uid
