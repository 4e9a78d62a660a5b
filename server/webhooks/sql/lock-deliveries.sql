-- Holds deliveries of an endpoint that are still pending: the next query sees what became of the attempts at them.
select id from webhook_delivery
where user_id = ${user_id} and endpoint_uid = ${uid} and id = any(${ids}::bigint[]) and state = 'pending'
order by id
for update
