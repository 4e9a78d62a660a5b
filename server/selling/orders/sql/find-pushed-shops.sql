-- Returns the shops that a push notification names, by their id or name. A shop that must be connected again counts
-- too: its orders are fetched as soon as it is.
select user_id, uid as seller_account_uid
from seller_account
where platform = ${platform} and status <> 'revoked'
  and (external_id = ${external_id} or external_name = ${external_name})
