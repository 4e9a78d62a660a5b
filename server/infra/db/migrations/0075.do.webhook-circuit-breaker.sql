-- What an endpoint did lately decides how many deliveries it may hold up, and for how long nothing is sent there.
alter table webhook_endpoint
  add column failures integer not null default 0,
  add column last_delivered_at timestamptz,
  add column paused_until timestamptz;

-- An endpoint that is not failing counts as one that has answered before.
update webhook_endpoint set last_delivered_at = now() where failing_since is null;

-- failing: the last three attempts failed, or the last one of an endpoint that has never answered. untried: it has neither
-- answered nor failed.
create function webhook_endpoint_kind(p_failures integer, p_last_delivered_at timestamptz) returns text
language sql immutable
return case
  when p_failures >= case when p_last_delivered_at is null then 1 else 3 end then 'failing'
  when p_last_delivered_at is null then 'untried'
  else 'working'
end;
