-- Returns a task and locks it until the transaction ends.
select uid, kind, status, platform, item_uid, seller_account_uid, listing_id, price_minor, currency, report
from extension_task
where user_id = ${user_id} and uid = ${uid}
for update
