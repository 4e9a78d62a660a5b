-- Queues events again that were written during a replay (replay-events.sql) of their items, behind the replayed ones.
-- Returns the deliveries already in progress, which are sent twice. The caller locks the counter, so no newer events
-- exist. The lookup starts with these few events, because no event can be written meanwhile.
with recent as materialized (
  select delivery.id, delivery.event_seq, delivery.event_type, delivery.item_uid
  from webhook_delivery delivery
  where delivery.user_id = ${user_id} and delivery.endpoint_uid = ${uid} and delivery.state = 'pending'
    and delivery.event_seq = any(array(select seq from event where user_id = ${user_id} and seq > ${seen_seq}))
),
early as (
  select * from recent
  where exists (
    select from webhook_delivery older
    where older.user_id = ${user_id} and older.endpoint_uid = ${uid} and older.state = 'pending'
      and older.item_uid = any(array(select item_uid from recent)) and older.item_uid = recent.item_uid
      and older.id > recent.id and older.event_seq < recent.event_seq
  )
),
taken as (
  delete from webhook_delivery delivery
  using early
  where delivery.user_id = ${user_id} and delivery.endpoint_uid = ${uid} and delivery.id = early.id
    and delivery.state = 'pending' and (delivery.lease_until is null or delivery.lease_until < now())
  returning delivery.id, delivery.cause
),
put as (
  insert into webhook_delivery (user_id, endpoint_uid, event_seq, event_type, item_uid, cause)
  select ${user_id}, ${uid}, early.event_seq, early.event_type, early.item_uid, coalesce(taken.cause, 'replay')
  from early
  left join taken on taken.id = early.id
  order by early.event_seq
)
select early.id::text as id from early where not exists (select from taken where taken.id = early.id)
