-- Inserts a test event, which only the tested endpoint receives.
with counter as (
  insert into event_counter (user_id, last_seq) values (${user_id}, 1)
  on conflict (user_id) do update set last_seq = event_counter.last_seq + 1
  returning last_seq
)
insert into event (user_id, seq, uid, type, traceparent, data)
select ${user_id}, last_seq, ${event_uid}, 'webhook.test', ${traceparent}, ${data}::jsonb
from counter
returning seq
