-- Records an attempt's outcome for its endpoint. A failing endpoint is paused, longer each time, up to the longest pause.
-- An endpoint that is gone, or has failed for five days, is disabled. The five days start again once no delivery waits.
update webhook_endpoint endpoint set
  failures = case when ${delivered} then 0 else failures + 1 end,
  last_delivered_at = case when ${delivered} then now() else last_delivered_at end,
  paused_until = case
    when ${delivered} then null
    when webhook_endpoint_kind(failures + 1, last_delivered_at) <> 'failing' then paused_until
    else now() + least(
      ${longest_pause_ms}, ${pause_ms} * 2 ^ least(failures - case when last_delivered_at is null then 0 else 2 end, 10)
    ) * interval '1 millisecond'
  end,
  failing_since = case
    when ${delivered} then null
    when ${given_up} and not exists (
      select from webhook_delivery other
      where other.user_id = endpoint.user_id and other.endpoint_uid = endpoint.uid and other.state = 'pending'
        and other.id <> ${id}
    ) then null
    else coalesce(failing_since, now())
  end,
  enabled = enabled and not ${gone} and (${delivered} or coalesce(failing_since, now()) > now() - interval '5 days'),
  disabled_reason = case
    when not enabled then disabled_reason
    when ${gone} then 'It answered 410 Gone.'
    when not ${delivered} and coalesce(failing_since, now()) <= now() - interval '5 days' then 'It failed for five days.'
  end
where user_id = ${user_id} and uid = ${endpoint_uid}
