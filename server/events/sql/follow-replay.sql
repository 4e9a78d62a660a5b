-- Events that were told while older ones of their items were put into an endpoint's line again (replay-events.sql) go behind
-- those; what of them is under way already comes once more. Endpoint and counter are to be held: then these are the last.
with early as (
  select delivery.id, delivery.event_seq, delivery.event_type, delivery.item_uid
  from event
  join webhook_delivery delivery on delivery.user_id = event.user_id and delivery.event_seq = event.seq
    and delivery.endpoint_uid = ${uid} and delivery.state = 'pending'
  where event.user_id = ${user_id} and event.seq > ${seen_seq} and exists (
    select from webhook_delivery older
    where older.user_id = ${user_id} and older.endpoint_uid = ${uid} and older.item_uid = delivery.item_uid
      and older.state = 'pending' and older.id > delivery.id and older.event_seq < delivery.event_seq
  )
),
taken as (
  delete from webhook_delivery delivery
  using early
  where delivery.user_id = ${user_id} and delivery.endpoint_uid = ${uid} and delivery.id = early.id
    and delivery.state = 'pending' and (delivery.lease_until is null or delivery.lease_until < now())
  returning delivery.id, delivery.cause
)
insert into webhook_delivery (user_id, endpoint_uid, event_seq, event_type, item_uid, cause)
select ${user_id}, ${uid}, early.event_seq, early.event_type, early.item_uid, coalesce(taken.cause, 'replay')
from early
left join taken on taken.id = early.id
order by early.event_seq
