-- The connected shop that a push names, by its id or its name there.
select user_id, uid as seller_account_uid
from seller_account
where platform = ${platform} and status = 'connected'
  and (external_id = ${external_id} or external_name = ${external_name})
