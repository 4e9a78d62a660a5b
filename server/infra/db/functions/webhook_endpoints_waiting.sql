-- Returns the endpoints with pending deliveries and when their first one is due, by one index lookup for each.
-- Forces the use of indexes: a plan made while the table was empty would read the whole backlog at every claim.
create or replace function webhook_endpoints_waiting()
returns table (user_id integer, endpoint_uid text, due_at timestamptz)
language plpgsql stable rows 10
set enable_sort = off
set enable_incremental_sort = off
set enable_seqscan = off
set enable_bitmapscan = off
as $$
#variable_conflict use_column
begin
  user_id := 0;
  endpoint_uid := '';
  loop
    select d.user_id, d.endpoint_uid, d.next_attempt_at into user_id, endpoint_uid, due_at
    from webhook_delivery d
    where d.state = 'pending'
      and (d.endpoint_uid, d.user_id) > (webhook_endpoints_waiting.endpoint_uid, webhook_endpoints_waiting.user_id)
    order by d.endpoint_uid, d.user_id, d.next_attempt_at, d.id
    limit 1;
    exit when not found;
    return next;
  end loop;
end
$$;
