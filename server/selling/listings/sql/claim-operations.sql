-- Claims due operations of one queue, by priority: `down` for what ends listings on any platform, or one platform's
-- listings and their updates. An earlier holder can no longer write. One operation at a time runs for an item and
-- platform, and publishing waits for ending. An account that holds `most_of_account` of the queue (null: any number) gets
-- no more, so that listings that hang hold up no other account's. Times are the database's, since clocks of workers differ.
with full_account as (
  select user_id
  from listing_operation
  where ${most_of_account}::integer is not null and state = 'open' and lease_until > now()
    and case when kind = 'delist' or cancel_requested_at is not null then 'down' else platform end = ${queue}
  group by user_id
  having count(*) >= ${most_of_account}
),
due as (
  select operation.user_id, operation.id
  from listing_operation operation
  where operation.state = 'open' and operation.next_attempt_at <= now()
    and (operation.lease_until is null or operation.lease_until < now())
    and operation.user_id not in (select user_id from full_account)
    and case when operation.kind = 'delist' or operation.cancel_requested_at is not null then 'down' else operation.platform end = ${queue}
    and not exists (
      select from listing_operation other
      where other.user_id = operation.user_id and other.item_uid = operation.item_uid and other.platform = operation.platform
        and other.state = 'open' and other.id <> operation.id
        and (
          other.lease_until > now()
          or (operation.kind <> 'delist' and (other.kind = 'delist' or other.created_at < operation.created_at))
        )
    )
  order by operation.priority desc, operation.next_attempt_at
  limit ${count}
  for update of operation skip locked
)
update listing_operation operation set
  lease_epoch = operation.lease_epoch + 1,
  lease_until = now() + ${lease_ms} * interval '1 millisecond',
  attempts = operation.attempts + 1,
  -- Ending a listing may be sent any number of times, so it counts as sent from the claim on.
  sent_at = case when operation.kind = 'delist' then now() else operation.sent_at end
from due
where operation.user_id = due.user_id and operation.id = due.id
returning operation.user_id, operation.id, operation.kind, operation.item_uid, operation.platform,
  operation.seller_account_uid, operation.listing_id, operation.listing_url, operation.external_key, operation.fields,
  operation.content,  operation.price_minor, operation.currency, operation.options, operation.options_to_remember, operation.cause,
  operation.cause_ref, operation.priority, operation.attempts, operation.failures, operation.lease_epoch,
  operation.error_code, operation.error_message, operation.traceparent,
  -- As text, to keep the microseconds.
  operation.next_attempt_at::text as due_at,
  operation.options_chosen_at is not null as is_chosen,
  operation.accepted_at is not null as is_accepted,
  operation.cancel_requested_at is not null as is_cancelled,
  operation.alerted_at is not null as is_alerted,
  (extract(epoch from now() - operation.seen_at) * 1000)::float8 as seen_ms_ago,
  (extract(epoch from now() - operation.accepted_at) * 1000)::float8 as accepted_ms_ago,
  (extract(epoch from now() - operation.sent_at) * 1000)::float8 as sent_ms_ago,
  (extract(epoch from now() - operation.cancel_requested_at) * 1000)::float8 as cancelled_ms_ago
