-- The shop that a push names, by its id or its name there. One that must be connected again keeps the push too: what was
-- acknowledged is fetched as soon as it is.
select user_id, uid as seller_account_uid
from seller_account
where platform = ${platform} and status <> 'revoked'
  and (external_id = ${external_id} or external_name = ${external_name})
