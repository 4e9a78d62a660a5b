-- Returns an endpoint's next due deliveries, each with the first pending delivery of its item. Forces the use
-- of indexes: a backlog is newer than its statistics, by which the planner would read and sort it as a whole.
create or replace function next_webhook_deliveries(p_user_id integer, p_endpoint_uid text, p_count integer)
returns table (id bigint, next_attempt_at timestamptz, first_id bigint, first_at timestamptz)
language plpgsql stable rows 10
set enable_sort = off
set enable_seqscan = off
set enable_bitmapscan = off
as $$
#variable_conflict use_column
begin
  return query
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
  ) first on first.item_uid = due.item_uid;
end
$$;
