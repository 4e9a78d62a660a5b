-- Deliveries are claimed endpoint by endpoint, so that the backlog of one costs the others nothing: it was gone through as a
-- whole at every claim. Not in the order of the primary key, which goes through what was delivered, too.
create index webhook_delivery_line_idx on webhook_delivery (endpoint_uid, user_id, next_attempt_at, id)
  where state = 'pending';
create index webhook_delivery_leased_idx on webhook_delivery (lease_until)
  where state = 'pending' and lease_until is not null;
drop index webhook_delivery_due_idx;

-- The next deliveries of an endpoint that are due, each with what its item waits for: itself, if it is the first. Read from
-- the indexes in their order, whatever PostgreSQL has heard of the table: a backlog is younger than its statistics, and with
-- them it would be read as a whole and sorted.
create function next_webhook_deliveries(p_user_id integer, p_endpoint_uid text, p_count integer)
returns table (id bigint, next_attempt_at timestamptz, first_id bigint, first_at timestamptz)
language sql stable rows 10
set enable_sort = off
set enable_seqscan = off
set enable_bitmapscan = off
as $$
  select due.id, due.next_attempt_at, coalesce(first.id, due.id), coalesce(first.next_attempt_at, due.next_attempt_at)
  from (
    select d.id, d.item_uid, d.next_attempt_at from webhook_delivery d
    where d.endpoint_uid = p_endpoint_uid and d.user_id = p_user_id and d.state = 'pending' and d.next_attempt_at <= now()
      and (d.lease_until is null or d.lease_until < now())
    order by d.next_attempt_at, d.id
    limit p_count
  ) due
  left join lateral (
    select d.item_uid, d.id, d.next_attempt_at from webhook_delivery d
    where d.state = 'pending' and d.user_id = p_user_id and d.endpoint_uid = p_endpoint_uid
      and (d.item_uid, d.id) >= (due.item_uid, 0)
    order by d.item_uid, d.id
    limit 1
  ) first on first.item_uid = due.item_uid
$$;
