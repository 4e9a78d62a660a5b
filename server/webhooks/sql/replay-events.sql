-- Queues the events of a period again for an endpoint. Waiting deliveries of their items are requeued with them, in the
-- order of the events and due now. Deliveries in progress stay and are sent once more in their place, since their order
-- is unknown. Returns the number of events of the period, the deliveries left in place, and the number of the last
-- event seen: later ones are not in order yet.
with replayed as (
  select event.seq, event.type, event.item_uid
  from event
  join webhook_endpoint endpoint on endpoint.user_id = event.user_id and endpoint.uid = ${uid}
  where event.user_id = ${user_id} and event.created_at >= ${since}
    and (${until}::timestamptz is null or event.created_at < ${until}::timestamptz) and event.type <> 'webhook.test'
    and (endpoint.event_types is null or event.type = any(endpoint.event_types))
    and (${event_types}::text[] is null or event.type = any(${event_types}::text[]))
  -- Lock the events, because the purge may be deleting them and their deliveries reference them.
  for key share of event
),
item as (
  select distinct item_uid from replayed where item_uid is not null
),
waiting as (
  select delivery.id, delivery.event_seq, delivery.event_type, delivery.item_uid
  from webhook_delivery delivery
  join item on item.item_uid = delivery.item_uid
  where delivery.user_id = ${user_id} and delivery.endpoint_uid = ${uid} and delivery.state = 'pending'
  union all
  select delivery.id, delivery.event_seq, delivery.event_type, null
  from webhook_delivery delivery
  join replayed on replayed.seq = delivery.event_seq
  where delivery.user_id = ${user_id} and delivery.endpoint_uid = ${uid} and delivery.state = 'pending'
    and delivery.item_uid is null
),
taken as (
  delete from webhook_delivery delivery
  using waiting
  where delivery.user_id = ${user_id} and delivery.endpoint_uid = ${uid} and delivery.id = waiting.id
    and delivery.state = 'pending' and (delivery.lease_until is null or delivery.lease_until < now())
  returning delivery.id, delivery.event_seq, delivery.cause, delivery.response_status, delivery.error,
    delivery.duration_ms, delivery.created_at
),
line as (
  select seq, type, item_uid from replayed
  union
  select event_seq, event_type, item_uid from waiting
),
put as (
  insert into webhook_delivery (user_id, endpoint_uid, event_seq, event_type, item_uid, cause, response_status, error,
    duration_ms, created_at)
  select ${user_id}, ${uid}, line.seq, line.type, line.item_uid, coalesce(log.cause, 'replay'), log.response_status,
    log.error, log.duration_ms, coalesce(log.created_at, now())
  from line
  left join (select distinct on (event_seq) * from taken order by event_seq, id) log on log.event_seq = line.seq
  order by line.seq
)
select (select count(*)::integer from replayed) as replayed,
  (select coalesce(max(last_seq), 0)::bigint from event_counter where user_id = ${user_id}) as seen_seq,
  (select coalesce(array_agg(waiting.id), '{}') from waiting
   where not exists (select from taken where taken.id = waiting.id)) as left
