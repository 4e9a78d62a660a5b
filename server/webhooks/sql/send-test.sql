-- Inserts a delivery of one event to one endpoint, regardless of its event types.
insert into webhook_delivery (user_id, endpoint_uid, event_seq, event_type, item_uid, cause)
select event.user_id, ${uid}, event.seq, event.type, event.item_uid, 'test'
from event
where event.user_id = ${user_id} and event.seq = ${seq}
returning id
