-- Returns whether a delivery of an enabled endpoint is due, ignoring paused endpoints. It is cheap, because it runs at
-- every event.
select exists (
  select from webhook_endpoints_waiting() waiting
  join webhook_endpoint endpoint on endpoint.user_id = waiting.user_id and endpoint.uid = waiting.endpoint_uid
  where waiting.due_at <= now() and endpoint.enabled and (endpoint.paused_until is null or endpoint.paused_until <= now())
) as is_due
