-- Returns the live job of a seller account.
select uid
from import_job
where user_id = ${user_id} and seller_account_uid = ${seller_account_uid} and status in ('pending', 'in_progress')
