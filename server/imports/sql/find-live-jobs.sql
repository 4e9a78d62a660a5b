-- The live jobs of a seller account.
select user_id, uid
from import_job
where user_id = ${user_id} and seller_account_uid = ${seller_account_uid} and status in ('pending', 'in_progress')
