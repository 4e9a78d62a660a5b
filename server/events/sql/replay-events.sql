-- New deliveries of what an endpoint wants to hear of a time, in the order of the events. What is still on its way is not
-- sent beside itself.
insert into webhook_delivery (user_id, endpoint_uid, event_seq, event_type, item_uid, cause)
select event.user_id, endpoint.uid, event.seq, event.type, event.item_uid, 'replay'
from event
join webhook_endpoint endpoint on endpoint.user_id = event.user_id and endpoint.uid = ${uid}
where event.user_id = ${user_id} and event.created_at >= ${since}
  and (${until}::timestamptz is null or event.created_at < ${until}::timestamptz) and event.type <> 'webhook.test'
  and (endpoint.event_types is null or event.type = any(endpoint.event_types))
  and (${event_types}::text[] is null or event.type = any(${event_types}::text[]))
  and not exists (
    select from webhook_delivery waiting
    where waiting.user_id = event.user_id and waiting.endpoint_uid = endpoint.uid and waiting.event_seq = event.seq
      and waiting.state = 'pending'
  )
order by event.seq
