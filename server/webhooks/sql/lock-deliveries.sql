-- Locks pending deliveries of an endpoint, so that the next query sees the outcome of their attempts.
select id from webhook_delivery
where user_id = ${user_id} and endpoint_uid = ${uid} and id = any(${ids}::bigint[]) and state = 'pending'
order by id
for update
