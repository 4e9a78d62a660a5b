-- Defers a delivery behind the first of its item until the first ends. Returns whether it did: not while either is locked. The
-- first is locked, because after its end the next one must not be deferred. Forces the use of the primary key by its order:
-- with statistics older than the backlog, other indexes look as good and would read all of it.
create or replace function defer_webhook_delivery(p_user_id integer, p_endpoint_uid text, p_id bigint, p_first_id bigint)
returns boolean language plpgsql
set enable_sort = off
set enable_seqscan = off
set enable_bitmapscan = off
as $$
declare
  first_at timestamptz;
  place tid;
begin
  select d.next_attempt_at into first_at from webhook_delivery d
  where d.user_id = p_user_id and d.endpoint_uid = p_endpoint_uid and d.id between p_first_id and p_first_id
    and d.finished_at is null
  order by d.id
  limit 1
  for update skip locked;
  select d.ctid into place from webhook_delivery d
  where d.user_id = p_user_id and d.endpoint_uid = p_endpoint_uid and d.id between p_id and p_id
    and d.finished_at is null and first_at is not null
  order by d.id
  limit 1
  for update skip locked;
  update webhook_delivery d set next_attempt_at = greatest(first_at, now() + interval '5 minutes')
  where d.user_id = p_user_id and d.ctid = place;
  return found;
end
$$;
