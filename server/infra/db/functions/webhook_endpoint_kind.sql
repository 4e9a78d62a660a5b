-- Returns failing after three failures in a row, or one from an endpoint that never answered; untried before the first
-- attempt; otherwise working.
create or replace function webhook_endpoint_kind(p_failures integer, p_last_delivered_at timestamptz) returns text
language sql immutable
return case
  when p_failures >= case when p_last_delivered_at is null then 1 else 3 end then 'failing'
  when p_last_delivered_at is null then 'untried'
  else 'working'
end;
