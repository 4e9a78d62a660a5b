-- Takes due intents of one lane (what comes down, on all platforms; what goes up or changes its price, on one), the
-- urgent ones first; whoever held one before, and comes back, writes nothing any more.
-- For one item and platform one works at a time, and putting up waits until taking down is done. Times are the
-- database's: the clocks of workers do not count.
with due as (
  select intent.user_id, intent.id
  from listing_intent intent
  where intent.state = 'open' and intent.next_attempt_at <= now()
    and (intent.lease_until is null or intent.lease_until < now())
    and case when intent.kind = 'delist' or intent.cancel_requested_at is not null then 'down' else intent.platform end = ${lane}
    and not exists (
      select from listing_intent other
      where other.user_id = intent.user_id and other.item_uid = intent.item_uid and other.platform = intent.platform
        and other.state = 'open' and other.id <> intent.id
        and (
          other.lease_until > now()
          or (intent.kind <> 'delist' and (other.kind = 'delist' or other.created_at < intent.created_at))
        )
    )
  order by intent.priority desc, intent.next_attempt_at
  limit ${count}
  for update of intent skip locked
)
update listing_intent intent set
  lease_epoch = intent.lease_epoch + 1,
  lease_until = now() + ${lease_ms} * interval '1 millisecond',
  attempts = intent.attempts + 1,
  -- Taking down begins with being sent: it may be sent any number of times.
  step = case when intent.kind = 'delist' then 'withdraw' else intent.step end,
  sent_at = case when intent.kind = 'delist' then now() else intent.sent_at end
from due
where intent.user_id = due.user_id and intent.id = due.id
returning intent.user_id, intent.id, intent.kind, intent.item_uid, intent.platform, intent.seller_account_uid,
  intent.listing_id, intent.listing_url, intent.external_key, intent.price_minor, intent.currency, intent.options,
  intent.to_remember,
  intent.cause, intent.cause_ref, intent.priority, intent.step, intent.attempts, intent.failures, intent.lease_epoch,
  intent.error_code, intent.error_message,
  -- As it stands, to the microsecond.
  intent.next_attempt_at::text as due_at,
  intent.chosen_at is not null as is_chosen,
  intent.accepted_at is not null as is_accepted,
  intent.cancel_requested_at is not null as is_cancelled,
  intent.alarm_at is not null as is_alarmed,
  (extract(epoch from now() - intent.seen_at) * 1000)::float8 as seen_ms_ago,
  (extract(epoch from now() - intent.accepted_at) * 1000)::float8 as accepted_ms_ago,
  (extract(epoch from now() - intent.sent_at) * 1000)::float8 as sent_ms_ago,
  (extract(epoch from now() - intent.cancel_requested_at) * 1000)::float8 as cancelled_ms_ago
