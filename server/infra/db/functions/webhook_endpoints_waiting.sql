-- Returns the endpoints with pending deliveries and when their first one is due, by one index lookup for each.
-- Forces the use of indexes: a plan made while the table was empty would read the whole backlog at every claim.
create or replace function webhook_endpoints_waiting()
returns table (user_id integer, endpoint_uid text, due_at timestamptz)
language sql stable rows 10
set enable_sort = off
set enable_incremental_sort = off
set enable_seqscan = off
set enable_bitmapscan = off
as $$
  with recursive waiting as (
    (
      select d.user_id, d.endpoint_uid, d.next_attempt_at as due_at from webhook_delivery d
      where d.state = 'pending'
      order by d.endpoint_uid, d.user_id, d.next_attempt_at, d.id
      limit 1
    )
    union all
    select next.user_id, next.endpoint_uid, next.due_at
    from waiting
    cross join lateral (
      select d.user_id, d.endpoint_uid, d.next_attempt_at as due_at from webhook_delivery d
      where d.state = 'pending' and (d.endpoint_uid, d.user_id) > (waiting.endpoint_uid, waiting.user_id)
      order by d.endpoint_uid, d.user_id, d.next_attempt_at, d.id
      limit 1
    ) next
  )
  select waiting.user_id, waiting.endpoint_uid, waiting.due_at from waiting
$$;
